import pytest

from packs.formats.task_suite.catalogue import DIMENSIONS
from runs.scoring.six_dimensions import ANCHORS, WEIGHTS, mean_of


def test_every_dimension_of_the_format_has_its_weight_and_five_anchors():
    assert dict(WEIGHTS) == dict(DIMENSIONS)
    assert all(set(ANCHORS[name]) == {0, 1, 2, 3, 4} for name in WEIGHTS)


def test_collaboration_counts_only_where_several_agents_work():
    scores = {"output_quality": 4, "collaboration": 0}
    assert mean_of(scores) == 4
    assert mean_of(scores, has_several_agents=True) == pytest.approx(3)
    assert mean_of({}) is None
