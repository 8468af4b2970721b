from hypothesis import given
from hypothesis import strategies as st

from packs.formats.comparing.alignment import DIRECT, aligned, moved, paired, rising, stretches

numbers = st.lists(st.integers(0, 6), max_size=30)


@given(numbers, numbers)
def test_aligned_elements_are_equal_and_keep_their_order(old, new):
    pairs = aligned(old, new)
    assert all(old[left] == new[right] for left, right in pairs)
    assert pairs == sorted(pairs)
    assert len({left for left, _ in pairs}) == len({right for _, right in pairs}) == len(pairs)


@given(numbers, numbers)
def test_stretches_put_together_are_both_sequences(old, new):
    said, new_parts = [], []
    for (kept, at, end), (new_kept, new_at, new_end) in stretches(old, new):
        assert old[kept:at] == new[new_kept:new_at]
        said += old[kept:end]
        new_parts += new[new_kept:new_end]
    assert (said, new_parts) == (old, new)


def test_one_line_among_many_is_found():
    old = [f"line {number}" for number in range(50 * DIRECT)]
    new = [*old[:70], "new", *old[70:9000], *old[9001:]]
    assert len(aligned(old, new)) == len(old) - 1


def test_long_sequences_with_nothing_in_common_once_are_told_apart_as_wholes():
    assert aligned([0, 1] * DIRECT, [2, 3] * DIRECT) == []


def test_equal_elements_are_paired_in_their_order_wherever_they_stand():
    assert paired(["a", "b", "a"], ["a", "c", "a", "b", "b"]) == [(0, 0), (2, 2), (1, 3)]


@given(st.permutations(range(9)))
def test_a_rising_part_rises_and_none_is_longer(order):
    found = [order[place] for place in rising(order)]
    assert found == sorted(found)
    best = [1] * len(order)
    for at, number in enumerate(order):
        best[at] = 1 + max((best[before] for before in range(at) if order[before] < number), default=0)
    assert len(found) == max(best)


def test_only_what_jumps_over_others_has_moved():
    assert moved([(0, 3), (1, 0), (2, 1), (3, 2)]) == {3}
    assert moved([(1, 0), (2, 1)]) == set()
