"""Drafts of AgentV evals that tests of several rooms begin with."""

from packs.importing import import_pack

FILES = {
    "widgets.eval.yaml": b"""\
# kept
name: widgets
workspace:
  repos:
    - path: ./repo
      source: {type: git, url: https://example.org/widget.git}
      checkout: {base_commit: 4f3e2d19b6e4e8f1c2b7d9a0e5a6b7c8d9e0f123}
      clone: {depth: 3}
tests:
  - {id: first, criteria: Mends it, input: Mend it., metadata: {source_row: 41, test_patch: cases/first/a.patch}}
  - {id: second, criteria: Says why, input: Say why., metadata: {source_file: rows.csv}}
"""
}


def draft_of_suite(team, author):
    return import_pack(team, author, FILES, "widgets", slug="widgets")
