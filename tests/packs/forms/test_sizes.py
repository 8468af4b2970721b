from packs.formats.costs import MAX_BYTES, MAX_VALUES
from packs.forms.sizes import is_larger, too_wide


def test_values_are_counted_all_the_way_down():
    assert not is_larger([1, {"a": 2}], (4, 3))
    assert is_larger([1, {"a": 2}], (3, 3))


def test_deep_nesting_counts_however_few_values_there_are():
    deep = 1
    for _ in range(2000):
        deep = [deep]
    assert is_larger(deep, (10_000, 50))


def test_what_is_too_much_for_a_form_is_its_smallest_part():
    text, numbers = "x" * MAX_BYTES, list(range(MAX_VALUES + 1))
    assert too_wide({"a": 1, "b": {"c/d": text, "e": "f"}, "g": [{"h": text}]}) == {"/b/c~1d", "/g"}
    assert too_wide({"a": numbers, "b": numbers[:9]}) == {"/a"}
    assert not too_wide({"a": numbers[:9]})


def test_much_that_is_in_no_part_of_its_own_leaves_out_everything():
    assert too_wide({f"k{at}": at for at in range(MAX_VALUES + 1)}) == {""}
    assert too_wide({"a": {"b": "x" * (MAX_BYTES // 2), "c": "x" * (MAX_BYTES // 2)}}) == {"/a"}
