"""Which cases are still to be ranked, and whose messages got lost."""

from datetime import timedelta

import pytest
from django.utils import timezone

from runs.jobs.trials.rankings import awaits_rankings, claim, plan, send_lost_rankings
from runs.launch.launching import launch
from runs.models import Ranking, Run, RunStatus, Trial, TrialStatus
from tests.runs.judged_packs import RANKING, judged_text
from tests.runs.studio_packs import publish_text

WAITING = {"llm_judge_details": [{"judge_key": "best", "mode": "n_wise"}]}


@pytest.fixture
def run(team, author, agents):
    """A run of two agents at two cases whose trials have ended."""
    version = publish_text(team, author, judged_text(2, RANKING))
    run = launch(author, version, [agents["echo"], agents["reference"]])
    end(run, WAITING)
    Run.objects.filter(pk=run.pk).update(status=RunStatus.SCORING)
    return Run.objects.get(pk=run.pk)


@pytest.fixture
def sent(monkeypatch):
    """The messages that are sent."""
    messages = []
    monkeypatch.setattr("packs.celery.app.send_task", lambda name, *rest, **more: messages.append(name))
    return messages


def end(run, card, **which):
    Trial.objects.filter(run=run, **which).update(
        status=TrialStatus.UNDECIDED, scorecard=card, finished_at=timezone.now()
    )


def test_each_case_with_something_to_rank_is_planned_once(run):
    assert (plan(run), plan(run)) == (2, 0)
    assert {len(trials) for trials in Ranking.objects.values_list("trials", flat=True)} == {2}


def test_trials_that_were_never_judged_are_not_ranked(run):
    end(run, {}, case_position=0)
    assert plan(run) == 1


def test_a_version_without_ranking_judges_plans_nothing(run):
    end(run, {"llm_judge_details": [{"judge_key": "tone", "mode": "rubric"}]})
    assert plan(run) == 0


def test_only_cases_with_a_trial_that_was_tried_again_are_planned_again(run):
    plan(run)
    Ranking.objects.update(finished_at=timezone.now())
    Trial.objects.filter(run=run, case_position=1, run_agent__position=0).update(finished_at=timezone.now())
    assert plan(run) == 1
    assert Ranking.objects.get(finished_at=None).case_position == 1


def test_a_run_that_was_asked_to_stop_is_not_ranked(run):
    run.cancel_requested_at = timezone.now()
    assert not awaits_rankings(run)
    assert not Ranking.objects.exists()


def test_jobs_are_sent_when_rankings_are_found_and_not_each_time(run, sent, django_capture_on_commit_callbacks):
    for expected in (2, 0):
        sent.clear()
        with django_capture_on_commit_callbacks(execute=True):
            assert awaits_rankings(run)
        assert sent == ["runs.jobs.execute_rankings"] * expected


def test_lost_messages_are_sent_again_unless_somebody_is_at_work(run, sent):
    plan(run)
    Run.objects.update(enqueued_at=timezone.now() - timedelta(minutes=1))
    send_lost_rankings()
    assert sent == ["runs.jobs.execute_rankings"] * 2
    send_lost_rankings()
    assert len(sent) == 2
    Run.objects.update(enqueued_at=timezone.now() - timedelta(minutes=1))
    claim(run.pk, "here|1|x")
    send_lost_rankings()
    assert len(sent) == 2


def test_a_ranking_is_claimed_by_one_worker(run):
    plan(run)
    taken = [claim(run.pk, f"worker {number}") for number in range(3)]
    assert [ranking and ranking.lease for ranking in taken] == ["worker 0", "worker 1", None]
