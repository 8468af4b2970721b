"""A suite of AgentV that moves to another folder, at every door, still means the files that it meant."""

import json

import pytest

from packs import editing
from packs.editing import Change, Thing, TooManyFollow
from packs.exporting import export_draft
from packs.formats import adapter_of
from packs.formats.document import NodeKind
from packs.importing import import_pack

SUITE = b"""\
name: desk
workspace: {template: start, hooks: {before_each: {command: python ./make.py --all, cwd: tools}}}
tests: ./cases.yaml
assertions:
  - {type: llm-grader, prompt: file://prompts/judge.md}
  - {type: contains, value: prompts/judge.md}
"""
CASES = b"""\
- id: first
  criteria: Answers
  input:
    - role: user
      content: [{type: file, value: rules/fines.md}, {type: text, value: rules/fines.md}]
- {id: second, criteria: Says start, input: start}
"""
FILES = {
    "evals/desk/a.eval.yaml": SUITE,
    "evals/desk/cases.yaml": CASES,
    "evals/desk/start/a.txt": b"a",
    "evals/desk/make.py": b"print()",
    "evals/desk/tools/b.py": b"print()",
    "evals/prompts/judge.md": b"Judge {{ output }}",
    "rules/fines.md": b"Fines",
}
NEW = "other/b.eval.yaml"


@pytest.fixture
def draft(team, author):
    return import_pack(team, author, FILES, "desk", slug="desk")


@pytest.fixture
def suite(draft):
    return draft.input_sets.get()


def rename(draft, suite, author):
    return editing.rename(draft, Thing("input_set", suite.key, suite.pk), NEW, author)


def type_it(draft, suite, author):
    for name in ("", NEW):
        applied = editing.apply(draft, [Change(suite.kind, suite.pk, "/$file", name)], author, label="Type")
    return applied


def edit_text(draft, suite, author):
    document = {**suite.document, "$file": NEW, "name": "moved"}
    return editing.replace_document(draft, suite.kind, suite.pk, document, author)


def tasks_of(draft):
    """What each case is made into: the files that it shows, and what its workspace begins with."""
    files = dict(export_draft(draft).files)
    adapter = adapter_of("agentv")
    tree, _ = adapter.load(files)
    assert not [found for found in adapter.check(tree) if found.is_error]
    tasks = adapter.compile_tasks(tree, tree.input_sets[0])
    shown = [(task.prompt, [file.path for file in task.environment.files]) for task in tasks]
    return shown, json.dumps([[spec.config for spec in task.graders] for task in tasks], default=str)


@pytest.mark.parametrize("door", [rename, type_it, edit_text])
def test_its_paths_mean_the_same_files_as_before(draft, suite, author, door):
    before = tasks_of(draft)
    applied = door(draft, suite, author)
    suite.refresh_from_db()
    document = suite.document
    assert document["tests"] == "../evals/desk/cases.yaml"
    assert document["workspace"]["template"] == "../evals/desk/start"
    hook = document["workspace"]["hooks"]["before_each"]
    assert (hook["command"], hook["cwd"]) == ("python ../evals/desk/make.py --all", "../evals/desk/tools")
    assert document["assertions"] == [
        {"type": "llm-grader", "prompt": "file://../evals/prompts/judge.md"},
        {"type": "contains", "value": "prompts/judge.md"},
    ]
    # What is found from the root of the pack is found from everywhere.
    assert draft.cases.get(key="first").document["input"][0]["content"][0]["value"] == "rules/fines.md"
    assert draft.cases.get(key="second").document["input"] == "start"
    (renamed,) = applied.renamed
    assert (renamed.names[0][1], renamed.places) == (NEW, 5)
    assert tasks_of(draft)[0] == before[0]
    assert "evals/desk/cases.yaml" in export_draft(draft).files
    editing.undo(draft, author)
    suite.refresh_from_db()
    assert suite.document["workspace"]["template"] == "start"


def test_a_file_of_a_case_is_followed_too(draft, suite, author):
    case = draft.cases.get(key="first")
    place = "/input/0/content/0/value"
    editing.apply(draft, [Change(case.kind, case.pk, place, "./make.py")], author)
    rename(draft, suite, author)
    case.refresh_from_db()
    assert case.document["input"][0]["content"][0]["value"] == "../evals/desk/make.py"


def test_another_name_in_the_same_folder_changes_no_path(draft, suite, author):
    applied = editing.rename(draft, Thing("input_set", suite.key, suite.pk), "evals/desk/z.eval.yaml", author)
    suite.refresh_from_db()
    assert suite.document["tests"] == "./cases.yaml"
    assert applied.renamed == []


def test_what_the_same_edit_states_stays_as_it_is_stated(draft, suite, author):
    changes = [Change(suite.kind, suite.pk, "/$file", NEW), Change(suite.kind, suite.pk, "/tests", "./own.yaml")]
    editing.apply(draft, changes, author)
    suite.refresh_from_db()
    assert suite.document["tests"] == "./own.yaml"


def test_a_large_suite_moves_by_a_job(draft, suite, author):
    with pytest.raises(TooManyFollow):
        editing.apply(draft, [Change(suite.kind, suite.pk, "/$file", NEW)], author, most_followers=1)
    suite.refresh_from_db()
    assert suite.key == "evals/desk/a.eval.yaml"


def test_packs_of_other_formats_have_no_such_paths(team, author):
    sample = import_pack(
        team, author, adapter_of("challenge_pack").dump(adapter_of("challenge_pack").starter("p", "P")), "p"
    )
    found = sample.input_sets.first()
    if found is not None:
        editing.apply(sample, [Change(NodeKind.INPUT_SET, found.pk, "/key", "other/key")], author)
        assert sample.input_sets.first().key == "other/key"
