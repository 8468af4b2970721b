from hypothesis import given
from hypothesis import strategies as st

from runs.statistics.fronts import efficient

POINTS = st.dictionaries(st.integers(0, 50), st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12)


def beats(one, other):
    return one[0] <= other[0] and one[1] >= other[1] and one != other


@given(POINTS)
def test_the_front_holds_what_nothing_beats(points):
    found = efficient(points)
    assert set(found) == {key for key, at in points.items() if not any(beats(each, at) for each in points.values())}
    assert [points[key][0] for key in found] == sorted(points[key][0] for key in found)
