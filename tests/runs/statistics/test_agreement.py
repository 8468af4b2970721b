import pytest

from runs.statistics.agreement import agreement, cohen, fleiss, pairs

# Fleiss (1971), as most texts show it: 10 things, 14 people, 5 kinds; kappa 0.210.
COUNTS = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]


def test_kappas_are_those_of_the_books():
    assert cohen([(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15) == pytest.approx(0.4)
    ratings = [[kind for kind, count in enumerate(row) for _ in range(count)] for row in COUNTS]
    assert fleiss(ratings) == pytest.approx(0.210, abs=5e-4)


def test_two_people_are_compared_by_cohen_and_more_by_fleiss():
    two = agreement([{"a": 4, "b": 4}, {"a": 1, "b": 2}, {"a": 3}])
    assert (two.items, two.people, two.raw, two.method) == (2, 2, 0.5, "cohen")
    three = agreement([{"a": 4, "b": 4, "c": 0}, {"a": 1, "b": 1}])
    assert (three.items, three.people, three.method) == (2, 3, "fleiss")
    assert three.raw == pytest.approx((1 / 3 + 1) / 2)


def test_everybody_saying_the_same_of_everything_says_nothing_beyond_chance():
    found = agreement([{"a": 4, "b": 4}, {"a": 4, "b": 4}])
    assert (found.raw, found.kappa) == (1.0, None)
    assert cohen([(4, 4), (0, 0)]) == 1


def test_without_two_judgements_of_one_thing_there_is_no_agreement():
    assert agreement([{"a": 1}, {"b": 2}, {}]) is None
    assert pairs([{"a": 1}]) == {}


def test_each_two_people_are_compared_over_what_both_judged():
    found = pairs([{"a": 1, "b": 1, "c": 2}, {"a": 0, "b": 0}, {"b": 3, "c": 3}])
    assert {names: (each.items, each.raw) for names, each in found.items()} == {
        ("a", "b"): (2, 1.0),
        ("a", "c"): (1, 0.0),
        ("b", "c"): (2, 0.5),
    }
