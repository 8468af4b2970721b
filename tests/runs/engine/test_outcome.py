from runs.engine.outcome import Verdict
from runs.models import FINAL_STATUSES


def test_verdicts_are_the_final_statuses_of_a_trial():
    assert {verdict.value for verdict in Verdict} == {status.value for status in FINAL_STATUSES}
