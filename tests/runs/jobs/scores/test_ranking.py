"""Ranking the agents of a run once all of them have ended a case."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from runs.engine.rescoring import score_again
from runs.jobs.scores.ranking import Comparison, Watch
from runs.jobs.tasks import execute_rankings, execute_trials, sweep
from runs.jobs.trials.control import cancel
from runs.jobs.trials.loading import tasks_of
from runs.jobs.trials.rankings import claim
from runs.jobs.trials.retrying import retry
from runs.launch.launching import launch
from runs.models import Event, Ranking, Run, RunStatus, Trial, TrialStatus
from tests.runs.connections import make_connection
from tests.runs.grading.judges.benches import prompt_of
from tests.runs.judged_packs import RANKING, RUBRIC, judged_text
from tests.runs.studio_packs import publish_text

WORSE = "It is at the hub, maybe."


def prefer_gold(request):
    """A judge that scores everything well, and prefers the reference answer to an echo."""
    prompt = prompt_of(request)
    shown = re.findall(r"candidate ([A-Z]): final_output\n(.*?)\n>>>", prompt, re.DOTALL)
    if not shown:
        return json.dumps({"score": 5})
    order = sorted(shown, key=lambda pair: "Where" in pair[1])
    return json.dumps({"ranking": [label for label, _ in order], "reasoning": "by the answer"})


@pytest.fixture
def judges(team, model_server, local_endpoints):
    make_connection(team, model_server, model_list=[{"name": "gpt-small"}])
    model_server.answer = prefer_gold
    return model_server


@pytest.fixture
def ended(team, author, agents, judges):
    """A run of two agents whose trials have ended and whose rankings have not begun."""

    def make(cases=1, *specs, names=("reference", "echo")):
        version = publish_text(team, author, judged_text(cases, *(specs or (RANKING,))))
        run = launch(author, version, [agents[name] for name in names])
        for _ in range(5):
            execute_trials(run.pk)
        return Run.objects.get(pk=run.pk)

    return make


def ranked(run):
    execute_rankings(run.pk)
    run.refresh_from_db()
    return run


def judged(run, name):
    """Status and the judge details of the only trial of an agent."""
    trial = Trial.objects.get(run=run, run_agent__name=name)
    return trial, trial.scorecard["llm_judge_details"]


def test_a_run_is_scored_until_its_agents_are_ranked(ended):
    run = ended(2)
    assert run.status == RunStatus.SCORING
    assert run.finished_at is None
    assert Ranking.objects.filter(run=run, finished_at=None).count() == 2
    assert set(Trial.objects.filter(run=run).values_list("status", flat=True)) == {TrialStatus.UNDECIDED}
    run = ranked(run)
    assert (run.status, run.counts) == (RunStatus.COMPLETED, {"passed": 2, "failed": 2})
    assert run.scorecard["winning_run_agent_id"] == str(run.agents.get(name="reference").pk)


def test_each_agent_has_its_place_in_its_scorecard_and_the_calls_are_kept_once(ended, judges):
    run = ranked(ended())
    best, [details] = judged(run, "reference")
    worst, [other] = judged(run, "echo")
    assert (best.status, details["normalized_score"]) == (TrialStatus.PASSED, 1.0)
    assert (worst.status, other["normalized_score"]) == (TrialStatus.FAILED, 0.0)
    kept = Ranking.objects.get(run=run).calls["best"]
    assert len(kept["calls"]) == len(judges.requests) == 2
    assert all(call["output_text"] for call in kept["calls"])


def test_the_second_scoring_is_told_after_the_first(ended):
    run = ended()
    before = {trial.pk: trial.event_count for trial in Trial.objects.filter(run=run)}
    ranked(run)
    for trial in Trial.objects.filter(run=run):
        events = list(trial.events.values_list("sequence", "event_type"))
        assert [sequence for sequence, _ in events] == list(range(1, trial.event_count + 1))
        added = [event_type for sequence, event_type in events if sequence > before[trial.pk]]
        assert (added[0], added[-1]) == ("scoring.started", "scoring.completed")


def test_what_other_judges_said_stays_and_they_are_not_asked_again(ended, judges):
    run = ended(1, RUBRIC, RANKING)
    first = judged(run, "reference")[1][0]
    asked = len(judges.requests)
    run = ranked(run)
    rubric, ranking = judged(run, "reference")[1]
    assert rubric == first
    assert ranking["normalized_score"] == 1.0
    assert len(judges.requests) == asked + 2


def test_a_doubled_message_asks_nobody_twice(ended, judges):
    run = ranked(ended())
    asked, told = len(judges.requests), Event.objects.filter(trial__run=run).count()
    ranked(run)
    sweep()
    assert (len(judges.requests), Event.objects.filter(trial__run=run).count()) == (asked, told)


def test_a_ranking_whose_worker_died_is_made_by_another_one(ended):
    run = ended()
    now = timezone.now()
    row = Ranking.objects.filter(run=run)
    row.update(lease="elsewhere|1|x", lease_until=now + timedelta(seconds=20), claims=1)
    assert ranked(run).status == RunStatus.SCORING
    row.update(lease_until=now - timedelta(seconds=1))
    assert ranked(run).status == RunStatus.COMPLETED


def test_a_ranking_that_kills_its_workers_is_given_up(ended, judges):
    run = ended()
    Ranking.objects.filter(run=run).update(claims=5)
    run = ranked(run)
    assert run.status == RunStatus.COMPLETED
    assert Ranking.objects.get(run=run).error
    assert judges.requests == []


def test_results_under_a_lost_lease_are_thrown_away(ended):
    run = ended()
    ranking = claim(run.pk, "here|1|x")
    Ranking.objects.filter(pk=ranking.pk).update(lease="elsewhere|1|x")
    Comparison(run, ranking).make()
    assert judged(run, "reference")[1][0]["payload"]["problem"] == "waiting"
    assert Ranking.objects.get().finished_at is None


def test_cancelling_ends_a_run_that_waits_for_its_ranking(ended, judges):
    run = ended()
    assert cancel(run)
    sweep()
    run.refresh_from_db()
    assert run.finished_at is not None
    assert judges.requests == []


def test_a_trial_that_is_tried_again_is_ranked_again(ended, judges):
    run = ranked(ended())
    assert retry(run, "failed") == 1
    for _ in range(3):
        execute_trials(run.pk)
    run = ranked(run)
    assert run.status == RunStatus.COMPLETED
    assert len(judges.requests) == 4
    assert judged(run, "echo")[1][0]["normalized_score"] == 0.0


def test_one_agent_alone_ends_unranked_with_a_reason(ended):
    run = ranked(ended(names=("reference",)))
    assert run.counts == {"undecided": 1}
    assert judged(run, "reference")[1][0]["payload"]["problem"] == "unrankable"


def test_the_lease_is_extended_while_judges_answer_and_a_stop_is_heard(ended, monkeypatch):
    monkeypatch.setattr("runs.jobs.scores.ranking.LOOK_SECONDS", 0)
    run = ended()
    ranking = claim(run.pk, "here|1|x")
    Ranking.objects.filter(pk=ranking.pk).update(lease_until=timezone.now())
    watch = Watch(ranking)
    assert not watch()
    assert Ranking.objects.get().lease_until > timezone.now() + timedelta(seconds=10)
    cancel(run)
    assert watch()


def test_a_ranking_that_is_broken_off_is_left_to_others(ended, monkeypatch):
    monkeypatch.setattr("runs.jobs.scores.ranking.LOOK_SECONDS", 0)
    run = ended()
    ranking = claim(run.pk, "here|1|x")
    Run.objects.filter(pk=run.pk).update(cancel_requested_at=timezone.now())
    Comparison(run, ranking).make()
    row = Ranking.objects.get()
    assert (row.finished_at, row.lease, row.claims) == (None, "", 0)


def test_a_rescore_keeps_the_places(ended):
    run = ranked(ended())
    trial, [details] = judged(run, "reference")
    task = tasks_of(run, [trial])[trial.case_id]
    again = score_again(task, [event.as_event() for event in trial.events.all()])
    assert (again.verdict.value, again.score) == (trial.status, trial.score)
    assert again.scorecard["llm_judge_details"] == [details]
