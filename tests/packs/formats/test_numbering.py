"""Numbers behind names."""

from hypothesis import given
from hypothesis import strategies as st

from packs.formats.document import Case, InputSet, NodeKind, Pack
from packs.formats.index import TreeIndex
from packs.formats.numbering import free_key, free_number


@given(st.sets(st.integers(1, 40)), st.integers(1, 45))
def test_a_number_is_free_and_stands_behind_a_taken_one(taken, first):
    found = free_number(taken.__contains__, first)
    assert found not in taken
    assert found == first if first not in taken else found - 1 in taken


def test_ten_thousand_numbers_are_not_asked_one_by_one():
    asked = []
    assert free_number(lambda number: not asked.append(number) and number <= 10_000) == 10_001
    assert len(asked) < 40


def test_a_key_is_free_in_its_set_alone():
    sets = tuple(InputSet(name, {}, (Case(key, "", {}),)) for name, key in (("one", "row-1"), ("two", "row-2")))
    index = TreeIndex(Pack("benchmark_pack", "p", {}, (), sets))
    assert [free_key(index, NodeKind.CASE, "row-{}".format, parent) for parent in (0, 1)] == ["row-2", "row-1"]
    assert free_key(None, NodeKind.CASE, "row-{}".format) == "row-1"
