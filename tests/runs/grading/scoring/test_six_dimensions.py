import pytest

from runs.grading.scoring.six_dimensions import mean_of


def test_collaboration_counts_only_where_several_agents_work():
    scores = {"output_quality": 4, "collaboration": 0}
    assert mean_of(scores) == 4
    assert mean_of(scores, has_several_agents=True) == pytest.approx(3)
    assert mean_of({}) is None
