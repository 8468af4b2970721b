from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from runs.replay.bitrows import common_length, common_places, edit_distance

TEXTS = st.text(alphabet="abcß", max_size=40)


def plain_distance(left, right):
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def plain_common(left, right):
    row = [0] * (len(right) + 1)
    for a in left:
        before = 0
        for j, b in enumerate(right, 1):
            before, row[j] = row[j], before + 1 if a == b else max(row[j], row[j - 1])
    return row[-1]


@given(TEXTS, TEXTS)
def test_the_distance_is_that_of_the_textbook(left, right):
    assert edit_distance(left, right) == plain_distance(left, right)


@given(TEXTS, TEXTS)
def test_the_common_subsequence_is_that_of_the_textbook(left, right):
    assert common_length(tuple(left), tuple(right)) == plain_common(left, right)


def test_symbols_that_occur_often_count_like_rare_ones():
    left, right = "ab" * 60 + "c", "ba" * 60
    assert edit_distance(left, right) == plain_distance(left, right)
    assert common_length(left, right) == plain_common(left, right)


@given(TEXTS, TEXTS)
def test_the_places_of_the_common_subsequence_are_in_order_and_alike(left, right):
    places = common_places(left, right)
    assert len(places) == plain_common(left, right)
    assert all(left[one] == right[other] for one, other in places)
    assert all(before[0] < after[0] and before[1] < after[1] for before, after in pairwise(places))
