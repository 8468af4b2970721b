from packs.formats.collectors import COLLECTED
from runs.grading.scoring.metrics import COLLECTORS


def test_what_packs_may_collect_is_what_runs_can():
    assert set(COLLECTED) == set(COLLECTORS)
