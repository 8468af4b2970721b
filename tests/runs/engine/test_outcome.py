from runs.engine.outcome import Verdict
from runs.models import FINAL_STATUSES, TrialStatus


def test_verdicts_are_the_final_statuses_of_a_trial_and_that_it_waits():
    statuses = {status.value for status in (*FINAL_STATUSES, TrialStatus.WAITING)}
    assert {verdict.value for verdict in Verdict} == statuses
