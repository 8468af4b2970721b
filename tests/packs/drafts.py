"""Drafts for tests, made from trees and files as an import makes them."""

import contextlib
from typing import Any

from packs import editing
from packs.editing import ABSENT, Change, EditRefused, recheck
from packs.formats import adapter_of
from packs.formats.document import NodeKind
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


def random_edit(draft, author, chance, number):
    """One edit of any sort, on any node that is there."""
    sets, cases = list(draft.input_sets.values_list("pk", flat=True)), list(draft.cases.values_list("pk", flat=True))
    if not sets:
        editing.add_node(draft, NodeKind.INPUT_SET, author, document={"key": f"s{number}", "name": "S"})
        return
    if not cases:
        editing.add_node(
            draft, NodeKind.CASE, author, document={"case_key": f"c{number}"}, input_set=chance.choice(sets)
        )
        return
    case, target = chance.choice(cases), chance.choice(sets)
    pointer = chance.choice(["/payload", "/case_key", "/x-note", "/inputs/-", "/challenge_key"])
    acts = [
        lambda: editing.apply(
            draft, [Change(NodeKind.CASE, case, pointer, chance.choice([number, "no", ABSENT]))], author
        ),
        lambda: editing.add_node(draft, NodeKind.CASE, author, document={"case_key": f"c{number}"}, input_set=target),
        lambda: editing.duplicate_node(draft, NodeKind.CASE, case, author),
        lambda: editing.move_node(draft, NodeKind.CASE, case, author, offset=chance.choice([-2, -1, 1, 2])),
        lambda: editing.move_node(draft, NodeKind.CASE, case, author, input_set=target),
        lambda: editing.remove_node(draft, NodeKind.CASE, case, author),
        lambda: editing.duplicate_node(draft, NodeKind.INPUT_SET, target, author),
        lambda: editing.remove_node(draft, NodeKind.INPUT_SET, target, author),
    ]
    # Appending is refused where an earlier edit left no list; then nothing happens.
    with contextlib.suppress(EditRefused):
        chance.choices(acts, weights=[6, 2, 2, 2, 2, 2, 1, 1])[0]()
