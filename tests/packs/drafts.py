"""Drafts for tests, made from trees and files as an import makes them."""

from typing import Any

from packs.editing import recheck
from packs.formats import adapter_of
from packs.mirror import write_tree
from packs.models import Pack, Team

PACK = """\
pack:
  slug: parcels
  name: Parcels
  family: logistics
version:
  number: 1
  execution_mode: native
  evaluation_spec:
    name: parcels-v1
    version_number: 1
    judge_mode: deterministic
    validators:
      - key: says-hub
        type: contains
        target: final_output
        expected_from: case.expectations.answer
    scorecard:
      dimensions:
        - key: correctness
          source: validators
          weight: 1
challenges:
  - key: locate
    title: Locate a parcel
    category: support
    difficulty: easy
    instructions: Say where the parcel is.
input_sets:
  - key: hubs
    name: Hubs
    cases:
"""
CASE = """\
      - challenge_key: locate
        case_key: {key}
        inputs:
          - key: prompt
            kind: text
            value: Where is parcel {key}?
        expectations:
          - key: answer
            kind: text
            value: Hub {key}
"""


def pack_text(cases: int = 3) -> bytes:
    """A valid challenge pack with cases `case-0`, `case-1` and so on, in one set."""
    return (PACK + "".join(CASE.format(key=f"case-{index}") for index in range(cases))).encode()


def draft_of(team: Team, data: bytes | None = None, **columns: Any) -> Pack:
    """A checked draft with the content of a challenge-pack file."""
    tree, findings = adapter_of("challenge_pack").load({"pack.yaml": data if data is not None else pack_text()})
    assert tree is not None, findings
    row = Pack.objects.create(team=team, format="challenge_pack", **{"slug": "parcels"} | columns)
    write_tree(row, tree)
    recheck(row)
    return row
