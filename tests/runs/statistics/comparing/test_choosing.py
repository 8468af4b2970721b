"""Which rows of a comparison are shown, and in which order."""

import pytest

from runs.statistics.comparing.cells import Cell, Sample
from runs.statistics.comparing.choosing import chosen, counts_of, holding, ordered
from runs.statistics.comparing.rows import Change, align


def cell(key, verdict, score=None, is_flaky=False):
    state = {"pass": "passed", "fail": "failed"}.get(verdict, "error")
    return Cell(key, "", "parcels", "", verdict, state, is_flaky, score, (Sample(1, 1, state),))


BASE = [cell("b", "pass", 0.5), cell("c", "pass", 0.5), cell("a", "fail", 0.2), cell("d", "incomplete")]
OTHER = [
    cell("b", "pass", 0.5),
    cell("c", "fail", 0.1, is_flaky=True),
    cell("a", "pass", 0.9),
    cell("d", "pass", 1.0),
]
ROWS = align([BASE, OTHER], 0)


@pytest.mark.parametrize(
    ("order", "keys"),
    [
        ("state", "cadb"),
        ("-state", "bdac"),
        ("key", "abcd"),
        ("-key", "dcba"),
        ("delta", "cbad"),
        ("-delta", "abcd"),
        ("colour", "cadb"),
        ("", "cadb"),
    ],
)
def test_rows_are_sorted_and_what_has_no_delta_comes_last(order, keys):
    assert "".join(row.key for row in ordered(ROWS, order)) == keys


def test_filters_find_a_row_by_each_of_its_changes():
    assert counts_of(ROWS) == {
        Change.REGRESSED: 1,
        Change.FIXED: 1,
        Change.FLAKY: 1,
        Change.INCOMPARABLE: 1,
        Change.SAME: 1,
    }
    assert [row.key for row in chosen(ROWS, "flaky")] == ["c"]
    assert [row.key for row in chosen(ROWS, "gone")] == []
    assert len(chosen(ROWS, "")) == 4


def test_words_are_looked_for_in_case_and_challenge():
    rows = align([[cell("Refund late", "pass"), cell("greet", "pass")]], 0)
    assert [row.key for row in holding(rows, "parcels LATE")] == ["Refund late"]
    assert holding(rows, "late missing") == []
