import pytest

from packs.formats.task import Dimension, Metric
from tests.runs.grading.scoring.trials import ERRS, MISSES, PASSES, by_grader, card

GOOD = by_grader("good", PASSES)
UNKNOWN, ABSENT = Metric("m", "numeric", "no_such"), Metric("m", "numeric", "run_ttft_ms")


@pytest.mark.parametrize(
    ("graders", "metrics", "dimensions", "validity"),
    [
        ((PASSES,), (), (GOOD,), "valid"),
        ((PASSES, ERRS), (), (GOOD,), "invalid"),
        ((PASSES, MISSES), (), (GOOD,), "degraded"),
        ((PASSES, MISSES), (UNKNOWN,), (GOOD,), "invalid"),
        ((PASSES,), (ABSENT,), (GOOD,), "degraded"),
        ((PASSES,), (), (GOOD, Dimension("d", "astrology")), "invalid"),
        ((PASSES,), (), (GOOD, Dimension("d", "human_preference")), "degraded"),
    ],
)
def test_anything_in_error_makes_it_invalid_and_anything_missing_degraded(graders, metrics, dimensions, validity):
    found = card(*dimensions, graders=graders, metrics=metrics)
    assert found.validity == validity
    assert bool(found.validity_reason) is (validity != "valid")
