from packs.forms.sizes import is_larger


def test_values_are_counted_all_the_way_down():
    assert not is_larger([1, {"a": 2}], (4, 3))
    assert is_larger([1, {"a": 2}], (3, 3))


def test_deep_nesting_counts_however_few_values_there_are():
    deep = 1
    for _ in range(2000):
        deep = [deep]
    assert is_larger(deep, (10_000, 50))
