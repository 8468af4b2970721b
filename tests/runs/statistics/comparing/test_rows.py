"""Columns aligned by the keys of their cases."""

import pytest

from runs.statistics.comparing.cells import Cell, Sample
from runs.statistics.comparing.rows import Change, align, change_of

STATES = {"pass": "passed", "fail": "failed", "incomplete": "error"}


def cell(key="a", verdict="pass", score=None, input_set="default", digest="d", is_flaky=False):
    state = STATES[verdict]
    return Cell(key, input_set, "parcels", digest, verdict, state, is_flaky, score, (Sample(1, 1, state, score),))


@pytest.mark.parametrize(
    ("base", "other", "change"),
    [
        (None, None, None),
        (None, cell(), Change.NEW),
        (cell(), None, Change.GONE),
        (cell(verdict="incomplete"), None, Change.GONE),
        (cell(), cell(verdict="fail"), Change.REGRESSED),
        (cell(verdict="fail"), cell(), Change.FIXED),
        (cell(), cell(), Change.SAME),
        (cell(verdict="fail"), cell(verdict="fail"), Change.SAME),
        (cell(score=0.8), cell(score=0.9), Change.CHANGED),
        (cell(score=0.1 + 0.2), cell(score=0.3), Change.SAME),
        (cell(score=0.8), cell(), Change.SAME),
        (cell(), cell(is_flaky=True), Change.FLAKY),
        (cell(is_flaky=True, score=0.5), cell(score=1.0), Change.FLAKY),
        (cell(), cell(verdict="fail", is_flaky=True), Change.REGRESSED),
        (cell(), cell(verdict="incomplete"), Change.INCOMPARABLE),
        (cell(verdict="incomplete"), cell(verdict="fail"), Change.INCOMPARABLE),
        (cell(verdict="incomplete"), cell(verdict="incomplete"), Change.INCOMPARABLE),
    ],
)
def test_a_case_became(base, other, change):
    assert change_of(base, other) == change


def test_cases_of_the_base_come_first_in_its_order_then_those_that_are_new():
    rows = align([[cell("x"), cell("b"), cell("a")], [cell("a"), cell("b")]], base=1)
    assert [(row.key, row.state) for row in rows] == [("a", "same"), ("b", "same"), ("x", "new")]
    assert rows[2].changes == (Change.NEW, None)


def test_a_row_is_called_by_its_weightiest_change_and_found_by_each():
    columns = [[cell()], [cell(verdict="fail")], [cell(is_flaky=True)], []]
    (row,) = align(columns, base=0)
    assert row.state == Change.REGRESSED
    assert row.kinds == {Change.REGRESSED, Change.FLAKY, Change.GONE}


def test_a_case_that_only_columns_beside_the_base_have_is_new_and_not_missing_in_the_others():
    rows = align([[cell("a")], [cell("a"), cell("b")], [cell("a")]], base=0)
    assert rows[1].changes == (None, Change.NEW, None)


def test_a_key_that_stands_twice_is_told_apart_by_its_input_set():
    both = [cell("a", input_set="one"), cell("a", "fail", input_set="two"), cell("b", input_set="one")]
    rows = align([both, [cell("a", input_set="two"), cell("b", input_set="else")]], base=0)
    assert [(row.key, row.input_set, row.state) for row in rows] == [
        ("a", "one", "gone"),
        ("a", "two", "fixed"),
        ("b", "", "same"),
    ]


def test_no_trial_is_lost_where_key_and_input_set_stand_twice():
    rows = align([[cell(), cell(verdict="fail")], [cell(), cell()]], base=0)
    assert [row.state for row in rows] == ["same", "fixed"]


def test_a_row_knows_how_scores_moved_and_whether_the_case_was_edited():
    columns = [[cell(score=0.5)], [cell(score=0.75)], [cell(score=0.25, digest="e")], [cell(verdict="incomplete")]]
    (row,) = align(columns, base=0)
    assert row.deltas == [None, 0.25, -0.25, None]
    assert (row.delta, row.is_edited) == (-0.25, True)
    assert not align([[cell(digest="")], [cell()]], base=0)[0].is_edited


def test_a_single_column_compares_with_nothing():
    (row,) = align([[cell(verdict="fail")]], base=0)
    assert (row.state, row.changes, row.delta) == (Change.SAME, (None,), None)
