"""The counts that the database keeps of trials, against a recount."""

from contextlib import suppress

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runs.engine.outcome import Outcome, Verdict
from runs.jobs.queue.leases import claim, give_back, new_mark, release_lost
from runs.jobs.scores.amending import Said, amend
from runs.jobs.trials.control import cancel
from runs.jobs.trials.progress import finish, refresh
from runs.jobs.trials.retrying import RETRIES, retry
from runs.jobs.trials.saving import Ledger
from runs.launch.launching import add_trials, launch
from runs.launch.refusals import LaunchRefused
from runs.models import Run, RunAgent, TrialCount, trial_counting
from runs.models.case_counting import keep_case_counts
from runs.models.trial_counts import trial_counts_of
from runs.replay.causes import Fault
from tests.drawing import drawn
from tests.runs.tallied import check_case_counts, check_trial_counts
from tests.runs.working import lose

pytestmark = pytest.mark.django_db

VERDICTS = ("passed", "failed", "undecided", "error", "cancelled")


def claim_some(run, number, verdict):
    claim(run, number, new_mark())


def claim_and_give_back(run, number, verdict):
    mark = new_mark()
    give_back([trial.pk for trial in claim(run, number, mark)], mark)


def finish_some(run, number, verdict):
    ledger = Ledger(new_mark())
    for trial in claim(run, number, ledger.mark):
        score = {"passed": 1.0, "failed": 0.1 * number}.get(verdict)
        usage = {"cost_usd": 0.1 * number, "total_tokens": number} if number % 2 else {}
        fault = Fault.MACHINE if verdict == "error" else Fault.NONE
        outcome = Outcome(Verdict(verdict), score=score, usage=usage, fault=fault, stop_reason=f"stop {number}")
        ledger.close(ledger.open(trial), outcome)
    ledger.flush()


def retry_some(run, number, verdict):
    retry(run, list(RETRIES)[number % len(RETRIES)])


def score_again(run, number, verdict):
    for trial in run.trials.filter(status__in=("passed", "failed"))[:number]:
        amend(trial, [], [], Said(verdict, 0.3 if verdict in ("passed", "failed") else None, "", "", {}, []))


def lose_workers(run, number, verdict):
    lose(run, attempt=number)
    release_lost()


def cancel_all(run, number, verdict):
    cancel(run)


def add_some(run, number, verdict):
    with suppress(LaunchRefused):
        add_trials(run, 1)


def close(run, number, verdict):
    refresh(run.pk)
    finish(run.pk)


def count_cases_again(run, number, verdict):
    keep_case_counts(run.pk)


ACTS = [finish_some, finish_some, claim_some, claim_and_give_back, retry_some, score_again, lose_workers, close]
ACTS += [add_some, cancel_all, count_cases_again]
STEP = st.tuples(st.sampled_from(ACTS), st.integers(1, 6), st.sampled_from(VERDICTS))


@settings(max_examples=drawn(40), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(STEP, max_size=8))
def test_counts_are_those_of_a_recount_after_any_sequence_of_acts(steps, author, version, agents):
    with transaction.atomic():
        run = launch(author, version, [agents["echo"], agents["empty"]])
        for act, number, verdict in steps:
            run.refresh_from_db()
            act(run, number, verdict)
            check_trial_counts(run)
            check_case_counts(run)
        transaction.set_rollback(True)


def test_a_run_is_counted_from_its_launch_on_and_its_counts_go_with_it(author, version, agents):
    run, other = (launch(author, version, [agents["echo"], agents["empty"]]) for _ in range(2))
    check_trial_counts(run)
    assert trial_counts_of(run.pk).counts() == {"queued": 6}
    run.delete()
    assert set(TrialCount.objects.values_list("run", flat=True)) == {other.pk}
    RunAgent.objects.filter(run=other).delete()
    assert not TrialCount.objects.exists()


def test_rows_that_several_transactions_left_are_added_up_without_a_change_of_the_counts(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    kept = trial_counts_of(run.pk)
    row = TrialCount.objects.filter(run=run).values().first()
    parts = [{**row, "id": None, "slot": -place, "trials": 1 - place % 2 * 2} for place in range(1, 301)]
    TrialCount.objects.bulk_create(TrialCount(**{**part, "changes": 0}) for part in parts)
    trial_counting.settle(run.pk)
    assert trial_counts_of(run.pk).counts() == kept.counts()
    assert trial_counts_of(run.pk).stamp == kept.stamp
    if connection.vendor == "postgresql":
        assert TrialCount.objects.filter(run=run).count() == 1


def test_counts_that_were_lost_are_made_anew_after_migrations(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    with connection.cursor() as cursor:
        for name in ("added", "changed", "taken") if connection.vendor == "sqlite" else ():
            cursor.execute(f"DROP TRIGGER runs_trialcount_{name}")
    if connection.vendor == "sqlite":
        run.trials.filter(number=1)[:1].get().delete()
        trial_counting.prepare()
    check_trial_counts(run)
    run.trials.all().update(status="passed")
    check_trial_counts(run)
    trial_counting.recount()
    check_trial_counts(run)


def test_the_stamp_is_another_one_whenever_a_trial_changes(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    first, second = run.trials.order_by("pk")[:2]
    run.trials.filter(pk=first.pk).update(status="passed")
    before = trial_counts_of(run.pk)
    run.trials.filter(pk=first.pk).update(status="queued")
    run.trials.filter(pk=second.pk).update(status="passed")
    after = trial_counts_of(run.pk)
    assert (before.counts(), before.stamp) != (after.counts(), after.stamp)
    run.trials.filter(pk=second.pk).update(scorecard={"warnings": ["late"]})
    assert trial_counts_of(run.pk).stamp != after.stamp
    assert Run.objects.count() == 1
