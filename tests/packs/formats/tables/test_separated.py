import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.tables.separated import UNCLOSED, read_separated


def cells(text, has_names=True):
    table = read_separated(text, has_names=has_names)
    return table.names, [record for _, record in table.records]


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ('a,b\n"x, y",2', ("x, y", "2")),
        ("a;b\n1,5;2", ("1,5", "2")),
        ("a\tb;c\n1;2\t3", ("1;2", "3")),
        ('"a;a;a",b\n1,2', ("1", "2")),
        ("sep=;\na,a;b\n1;2", ("1", "2")),
        ('a,b\n"say ""so""",2', ('say "so"', "2")),
        ('a,b\n"one\r\ntwo",2', ("one\ntwo", "2")),
        ('a,b\n5" pipe,2', ('5" pipe', "2")),
        ("\n\na\tb\n1\t2", ("1", "2")),
        ("a|b\n1, so|2", ("1, so", "2")),
        ("My export\na,b\n1,2", ("a", "b")),
    ],
)
def test_cells_stand_between_what_separates_them(text, record):
    assert cells(text)[1][0] == record


def test_a_column_alone_keeps_its_commas():
    assert cells('question\nWhat is 2?\n"And, what?"\nAnd, what; now?\n') == (
        ("question",),
        [("What is 2?",), ("And, what?",), ("And, what; now?",)],
    )


def test_columns_without_a_name_and_without_a_cell_are_left_out():
    assert cells("id,,note,\n1,,x,\n2,,y,z") == (("id", "note", "4"), [("1", "x", ""), ("2", "y", "z")])
    assert cells("1\t\tx\n2\t\ty", has_names=False) == (("1", "3"), [("1", "x"), ("2", "y")])
    assert cells("id,empty\n1,\n") == (("id", "empty"), [("1", "")])


def test_ragged_rows_lose_no_cell():
    assert cells("a,b\n1\n2,3,4\n") == (("a", "b", "3"), [("1", "", ""), ("2", "3", "4")])


def test_lines_are_counted_as_an_editor_counts_them():
    table = read_separated('sep=,\na,b\n"x\ny",1\n\nz,2\n', has_names=True)
    assert [line for line, _ in table.records] == [3, 6]


def test_a_quotation_mark_that_nothing_closes_takes_no_lines_in_silence():
    table = read_separated('a,b\n1,2\n"3,4\n5,6\n', has_names=True)
    assert [(trouble.line, trouble.reason) for trouble in table.troubles] == [(3, UNCLOSED)]
    assert read_separated('a,b\n"3""",4', has_names=True).troubles == ()


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('",;\t\n'), max_size=8)
ROWS = st.integers(2, 4).flatmap(lambda width: st.lists(st.lists(TEXTS, min_size=width, max_size=width), max_size=5))


@given(ROWS, st.sampled_from(",;\t"))
def test_what_the_csv_module_writes_is_read_cell_by_cell(rows, delimiter):
    """An independent count of rows and cells: by the writer's own reader, without any of our rules."""
    names = [f"name {number}" for number in range(len(rows[0]) if rows else 2)]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows([names, *rows])
    table = read_separated(out.getvalue(), has_names=True)
    kept = [tuple(row) for row in rows if any(cell.strip() for cell in row)]
    marked = [
        tuple(cell[1:] if cell != read else cell for cell, read in zip(row, found, strict=True))
        for row, (_, found) in zip(kept, table.records, strict=True)
    ]
    assert table.names == tuple(names)
    assert [found for _, found in table.records] == marked
    assert table.troubles == ()
