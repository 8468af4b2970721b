from runs.statistics.sums import Sum, summed


def test_what_is_not_known_is_no_zero():
    assert summed([1.5, None, 2.0]) == Sum(3.5, 1)
    assert summed([None, None]) == Sum(None, 2)
    assert summed([]) == Sum(None, 0)
    assert summed([0.0]) == Sum(0.0, 0)
