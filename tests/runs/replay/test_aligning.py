from hypothesis import given
from hypothesis import strategies as st

from runs.replay.aligning import CHANGED, ONLY_A, ONLY_B, SAME, align
from runs.replay.marks import Marks


def story(*steps):
    """Marks of steps, each written as name, deed and outcome: `f1x` calls `f` with `1`, of which `x` comes."""
    texts = [step.encode() for step in steps]
    return Marks([text[:1] for text in texts], [text[:2] for text in texts], texts)


def told(a, b, **options):
    return [(row.state, row.a, row.b) for row in align(story(*a), story(*b), **options).rows]


stories = st.lists(st.text("abc", min_size=3, max_size=3), max_size=25)


@given(stories)
def test_a_replay_beside_itself_is_the_same_throughout(steps):
    aligned = align(story(*steps), story(*steps))
    assert [(row.state, row.a, row.b) for row in aligned.rows] == [(SAME, at, at) for at in range(len(steps))]
    assert aligned.first_difference is None


@given(stories, stories, st.integers(0, 30))
def test_every_step_of_both_stands_in_one_row_in_its_order(a, b, most):
    aligned = align(story(*a), story(*b), most)
    assert [row.a for row in aligned.rows if row.a is not None] == list(range(len(a)))
    assert [row.b for row in aligned.rows if row.b is not None] == list(range(len(b)))
    for row in aligned.rows:
        assert (row.a is None, row.b is None) == (row.state == ONLY_B, row.state == ONLY_A)
        assert (row.state == SAME) == (row.a is not None and row.b is not None and a[row.a] == b[row.b])


@given(stories, stories)
def test_the_differences_are_exactly_the_rows_that_are_not_the_same(a, b):
    aligned = align(story(*a), story(*b))
    covered = [row for first, after in aligned.differences for row in range(first, after)]
    assert covered == [at for at, row in enumerate(aligned.rows) if row.state != SAME]
    assert sum(aligned.counts().values()) == len(aligned)


@given(stories, stories)
def test_no_step_that_both_begin_or_end_with_is_a_difference(a, b):
    around = ["qqq", "rrr"]
    rows = align(story(*around, *a, *around), story(*around, *b, *around)).rows
    assert {row.state for row in [*rows[:2], *rows[-2:]]} == {SAME}


def test_a_call_with_another_result_is_changed():
    assert told(["f1x", "g2x"], ["f1y", "g2x"]) == [(CHANGED, 0, 0), (SAME, 1, 1)]


def test_a_call_with_other_arguments_is_beside_the_one_of_the_same_tool():
    assert told(["f1x", "g1x", "h1x"], ["f1x", "n1x", "g2x", "h1x"]) == [
        (SAME, 0, 0),
        (ONLY_B, None, 1),
        (CHANGED, 1, 2),
        (SAME, 2, 3),
    ]


def test_a_call_too_many_leaves_those_after_it_together():
    assert told(["f1x", "g1x", "h1x"], ["f1x", "h1x"]) == [(SAME, 0, 0), (ONLY_A, 1, None), (SAME, 2, 1)]


def test_a_replay_beside_an_empty_one_stands_alone():
    assert told(["f1x"], []) == [(ONLY_A, 0, None)]
    assert told([], []) == []


def test_differences_are_reached_forth_and_back_from_anywhere():
    aligned = align(story("a1x", "b1x", "c1x", "d1x", "e1x"), story("a1x", "b1y", "c1y", "d1x", "e1y"))
    assert list(aligned.differences) == [(1, 3), (4, 5)]
    assert [aligned.next_difference(row) for row in (-1, 0, 1, 3, 4)] == [1, 1, 4, 4, None]
    assert [aligned.previous_difference(row) for row in (0, 1, 2, 4)] == [None, None, 1, 1]


def test_what_is_beyond_the_part_that_is_aligned_stands_apart_and_is_counted():
    a, b = ["s1x", "a1x", "b1x", "c1x", "t1x"], ["s1x", "n1x", "m1x", "c1x", "b1x", "t1x"]
    aligned = align(story(*a), story(*b), most=2)
    assert aligned.unaligned == 3
    assert [row.state for row in aligned.rows].count(SAME) == 2
    assert align(story(*a), story(*b)).unaligned == 0
