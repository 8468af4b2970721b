import pytest

from packs.formats.six_dimensions import ANCHORS, WEIGHTS


def test_every_dimension_has_its_weight_and_five_anchors():
    assert set(ANCHORS) == set(WEIGHTS)
    assert all(set(ANCHORS[name]) == {0, 1, 2, 3, 4} for name in WEIGHTS)


def test_the_weights_of_a_single_agent_add_up_to_one():
    assert sum(weight for name, weight in WEIGHTS.items() if name != "collaboration") == pytest.approx(1)
