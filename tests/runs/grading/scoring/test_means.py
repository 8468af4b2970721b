import pytest

from runs.grading.scoring.means import weighted_mean


@pytest.mark.parametrize(
    ("scores", "mean"),
    [
        ([(1.0, 3.0), (0.0, 1.0)], 0.75),
        ([(1.0, 1.0), (None, 5.0)], 1.0),
        ([(1.0, 0.0), (0.5, 0.0)], 0.75),
        ([(None, 1.0)], None),
        ([], None),
    ],
)
def test_known_scores_count_by_their_weights_and_alike_where_none_has_one(scores, mean):
    assert weighted_mean(scores) == mean
