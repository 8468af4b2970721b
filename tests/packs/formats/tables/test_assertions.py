"""Tables of promptfoo say checks in the place of answers."""

import pytest

from packs.formats.tables import read_table


@pytest.mark.parametrize(
    "cell",
    [
        "contains: Leeds",
        "not-icontains:Leeds",
        "similar(0.8):Leeds",
        "llm-rubric: polite",
        "is-json",
        "fn:output",
        "file://a.py",
    ],
)
def test_an_assertion_is_named_with_its_line(cell):
    note = read_table(f"question,__expected\nWhere?,Leeds\nWhich?,{cell}\n").note
    assert note.startswith(f"The column '__expected' states assertions of promptfoo, first {cell!r} in line 3,")


@pytest.mark.parametrize("cell", ["Leeds", "At 10:30", "Leeds: the hub", "is-json or not", "https://hub.example", ""])
def test_answers_are_no_assertions(cell):
    assert read_table(f"question,__expected\nWhich?,{cell}\n").note == ""


def test_only_columns_of_promptfoo_are_looked_at():
    assert read_table("question,answer\nWhich?,contains: Leeds\n").note == ""
    assert "__expected2" in read_table('[{"question": "Which?", "__expected2": "contains: Leeds"}]').note
