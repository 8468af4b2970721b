"""The work of a second scoring."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from packs.models import Pack
from packs.publish import publish
from runs.jobs.scores.inquiries import Desk
from runs.jobs.scores.rescoring import rescore, rescore_or_fail, score_waiting, send_lost_rescores
from runs.jobs.tasks import execute_rescore, sweep
from runs.jobs.trials.execution import STOPPING, stop_shifts
from runs.launch.launching import launch
from runs.models import Agent, Event, Rescore, RescoreResult, Trial
from runs.results.rescoring import Wanted, ask_rescore, cancel_rescore
from tests.openai_server import trouble
from tests.runs.connections import make_connection
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(author, version, agents):
    return work_off(launch(author, version, [agents["echo"], agents["empty"]]))


def finish(row):
    rescore(row)
    row.refresh_from_db()
    return row


def test_the_same_version_says_the_same(run):
    row = finish(ask_rescore(run))
    assert row.summary["changed"] == 0
    [echo, empty] = row.summary["agents"]
    assert echo["old"] == echo["new"] == {"score": 1.0, "counts": {"passed": 3}}
    assert empty["new"]["counts"] == {"failed": 3}
    assert RescoreResult.objects.filter(rescore=row).exclude(scorecard={}).count() == 6


def test_what_was_done_before_the_worker_died_is_not_done_again(run):
    row = ask_rescore(run)
    trial = run.trials.first()
    kept = RescoreResult.objects.create(rescore=row, trial=trial, old_status="passed", status="undecided")
    assert finish(row).status == "completed"
    assert row.results.count() == 6
    assert row.results.get(trial=trial).pk == kept.pk
    assert row.summary["agents"][0]["new"]["counts"] == {"passed": 2, "undecided": 1}


def test_trials_that_left_nothing_to_score_keep_their_verdict(run):
    trial = run.trials.first()
    trial.events.all().delete()
    Trial.objects.filter(pk=trial.pk).update(status="error", score=None, error="The worker was lost.")
    row = finish(ask_rescore(run))
    result = row.results.get(trial=trial)
    assert (result.status, result.error, result.has_changed) == ("error", "The worker was lost.", False)


def test_a_score_that_moves_has_changed_whatever_the_verdict_and_what_rounding_makes_of_it_has_not(run):
    moved, rounded = run.trials.filter(status="passed")[:2]
    Trial.objects.filter(pk=moved.pk).update(score=0.25)
    Trial.objects.filter(pk=rounded.pk).update(score=1 - 1e-12)
    row = finish(ask_rescore(run))
    assert list(row.results.filter(has_changed=True).values_list("trial", "old_score")) == [(moved.pk, 0.25)]
    assert row.summary["changed"] == 1


def test_an_outage_does_not_become_a_failure(author, team, version, model_server, local_endpoints):
    """Errors of a provider stay errors, by whatever is scored."""
    make_connection(team, model_server, max_retries=0)
    model_server.answer = lambda request: trouble(503)
    chat = {"connection": "models", "model": "small"}
    http = {"address": f"{model_server.url}/agent", "max_retries": 0}
    made = [("chat", chat), ("http", http)]
    agents = [Agent.objects.create(team=team, name=kind, kind=kind, config=config) for kind, config in made]
    run = work_off(launch(author, version, agents))
    assert run.counts == {"error": 6}
    row = finish(ask_rescore(run))
    assert (row.summary["changed"], row.summary["moves"]) == (0, [])
    assert set(row.results.values_list("status", "fault", "score")) == {("error", "machine", None)}
    assert all("503" in error for error in row.results.values_list("error", flat=True))


@pytest.mark.parametrize("status", ["error", "cancelled"])
def test_a_trial_without_a_scorecard_stays_what_it_is_whatever_its_events_tell(run, status):
    """A worker that died after the agent had answered left all events, and the trial is an error all the same."""
    trial = run.trials.first()
    Trial.objects.filter(pk=trial.pk).update(status=status, score=None, scorecard={}, error="It was lost.")
    result = finish(ask_rescore(run)).results.get(trial=trial)
    assert (result.status, result.score, result.error) == (status, None, "It was lost.")


def test_a_cancelled_trial_stays_cancelled_even_where_it_was_scored_before(run):
    trial = run.trials.first()
    assert trial.scorecard
    Trial.objects.filter(pk=trial.pk).update(status="cancelled", score=None)
    assert finish(ask_rescore(run)).results.get(trial=trial).status == "cancelled"


def test_a_job_that_lost_a_rescore_does_not_end_it(run):
    row = ask_rescore(run)
    desk = Desk.take(row)
    score_waiting(desk)
    Rescore.objects.filter(pk=row.pk).update(status="running", summary={}, lease="another")
    score_waiting(desk)
    row.refresh_from_db()
    assert (row.status, row.summary) == ("running", {})


def test_a_case_that_the_other_version_does_not_have_keeps_its_verdict(run, version, author):
    draft = Pack.objects.get(pk=version.pack_id)
    draft.cases.order_by("position").last().delete()
    newer = publish(draft, author, number=2)
    row = finish(ask_rescore(run, None, Wanted(newer.number)))
    without = row.results.filter(trial__case_key="case-0002")
    assert set(without.values_list("status", "has_changed")) == {("passed", False), ("failed", False)}
    assert all(result.error for result in without)
    assert not row.results.exclude(trial__case_key="case-0002").filter(error__contains="case").exists()


def sent_for_rescores(settings):
    """Messages of this kind alone: other tests leave theirs in the same folder."""
    queue = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    return len([path for path in queue.glob("*") if b"runs.jobs.execute_rescore" in path.read_bytes()])


def test_a_lost_job_is_sent_again_and_an_ended_one_is_not(run, settings):
    row = ask_rescore(run)
    Rescore.objects.update(touched_at=timezone.now() - timedelta(seconds=60))
    before = sent_for_rescores(settings)
    sweep()
    sweep()
    assert sent_for_rescores(settings) == before + 1
    execute_rescore(row.pk)
    row.refresh_from_db()
    assert row.status == "completed"
    execute_rescore(row.pk)


def test_one_that_is_cancelled_while_lost_ones_are_looked_for_stays_so(run, settings):
    row, cancelled = ask_rescore(run), []
    Rescore.objects.update(touched_at=timezone.now() - timedelta(seconds=60))
    before = sent_for_rescores(settings)

    def cancel_first(execute, sql, *given):
        if sql.startswith("UPDATE") and not cancelled:
            cancelled.append(row)
            cancel_rescore(row)
        return execute(sql, *given)

    with connection.execute_wrapper(cancel_first):
        send_lost_rescores()
    row.refresh_from_db()
    assert (cancelled, row.status, sent_for_rescores(settings)) == ([row], "cancelled", before)


def test_a_worker_that_is_to_end_leaves_a_rescore_to_others(run):
    row = ask_rescore(run)
    stop_shifts()
    try:
        assert finish(row).status == "queued"
    finally:
        STOPPING[0] = 0
    assert finish(row).status == "completed"


def test_a_database_that_is_away_ends_no_rescore_and_a_mistake_none_that_was_cancelled(run):
    row = ask_rescore(run)

    def away(execute, sql, *given):
        if "rescoreresult" in sql:
            raise OperationalError
        return execute(sql, *given)

    def cancelled(execute, sql, *given):
        if "rescoreresult" in sql:
            cancel_rescore(row)
            raise ValueError
        return execute(sql, *given)

    with pytest.raises(OperationalError), connection.execute_wrapper(away):
        rescore_or_fail(row)
    row.refresh_from_db()
    assert row.status == "queued"
    with connection.execute_wrapper(cancelled):
        rescore_or_fail(row)
    row.refresh_from_db()
    assert row.status == "cancelled"


def test_our_own_mistake_ends_a_rescore_as_failed(author, version, team):
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config={"default": "hub"})
    row = ask_rescore(work_off(launch(author, version, [agent])))
    Event.objects.update(payload=[])
    execute_rescore(row.pk)
    row.refresh_from_db()
    assert (row.status, bool(row.error)) == ("failed", True)
