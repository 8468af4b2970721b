"""Asking judges again about stored answers: nobody runs an agent, and nobody pays twice."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection as database
from django.utils import timezone

from packs.access import Role
from runs.jobs.scores.inquiries import Desk
from runs.jobs.scores.rescoring import rescore
from runs.jobs.tasks import execute_rankings, execute_rescore, sweep
from runs.jobs.trials.execution import STOPPING, stop_shifts
from runs.launch.launching import Options, launch
from runs.models import Rescore, RescoreResult, Run
from runs.results.rescoring import Wanted, ask_rescore, cancel_rescore
from runs.views.results.rescores import evaluation_text
from tests.openai_server import Answer, trouble
from tests.people import make_member
from tests.runs.connections import KEY, make_connection
from tests.runs.evals import eval_test, publish_evals
from tests.runs.grading.judges.benches import prompt_of, scores
from tests.runs.jobs.scores.test_ranking import prefer_gold
from tests.runs.jobs.test_suite_judges import publish_letter, replies
from tests.runs.judged_packs import RANKING, judged_text
from tests.runs.studio_packs import publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db
PRICED = [{"name": "gpt-small", "input_per_million": 1.0, "output_per_million": 10.0}]
CALL_USD = (7 * 1.0 + 3 * 10.0) / 1e6


@pytest.fixture
def connection(team, model_server, local_endpoints):
    return make_connection(team, model_server, model_list=PRICED, max_retries=0)


@pytest.fixture
def run(team, author, agents, model_server, connection):
    """A run of two cases whose judge, of two samples each, was away."""
    model_server.answer = lambda request: trouble(503)
    run = work_off(launch(author, publish_text(team, author, judged_text(2)), [agents["echo"]]))
    assert run.counts == {"undecided": 2}
    model_server.reset()
    model_server.reply(scores(5))
    return run


def scored(run, asks="missing", **more):
    row = ask_rescore(run, None, Wanted(asks=asks, **more))
    rescore(row)
    row.refresh_from_db()
    return row


def test_after_an_outage_judges_alone_are_asked_about_the_stored_answers(run, model_server):
    before = list(run.trials.order_by("pk").values())
    events = list(run.trials.order_by("pk").values_list("events__sequence", "events__event_type"))
    row = scored(run)
    move = {"from": "undecided", "to": "passed", "trials": 2, "old_score": None, "new_score": 1.0}
    assert row.summary["moves"] == [move]
    assert [request["model"] for request in model_server.requests] == ["gpt-small"] * 4
    told = {trial.final_output for trial in run.trials.all()}
    assert all(any(answer in prompt_of(request) for answer in told) for request in model_server.requests)
    # The run stays as it is, whatever is found out beside it.
    assert list(run.trials.order_by("pk").values()) == before
    assert list(run.trials.order_by("pk").values_list("events__sequence", "events__event_type")) == events


def test_what_the_judges_used_up_is_recorded(run):
    row = scored(run)
    assert row.summary["judging"] == {"calls": 4, "tokens": 40, "cost_usd": pytest.approx(4 * CALL_USD)}
    for result in row.results.all():
        assert result.usage == {"calls": 2, "tokens": 20, "cost_usd": pytest.approx(2 * CALL_USD)}


def test_nobody_is_asked_unless_somebody_wants_it(run, model_server):
    row = scored(run, asks="")
    assert (row.summary["changed"], row.summary.get("judging"), model_server.requests) == (0, None, [])


def test_a_reply_that_is_stored_is_not_paid_for_again(team, author, agents, model_server, connection):
    """One of two samples came through, so only the other one is asked."""
    version = publish_text(team, author, judged_text(1))
    model_server.script([scores(5), trouble(503)])
    run = work_off(launch(author, version, [agents["echo"]]))
    first = run.trials.get()
    assert [call.get("problem") for call in calls_of(first.scorecard)] == [None, "server"]
    model_server.reset()
    model_server.reply(scores(1))
    row = scored(run)
    assert len(model_server.requests) == 1
    [result] = row.results.all()
    assert [(call["score"], call.get("is_stored")) for call in calls_of(result.scorecard)] == [(1.0, True), (0.0, None)]
    assert (result.score, result.usage["calls"]) == (0.5, 1)
    # Once more: now nothing is missing in the trial itself, but its own events still lack the sample.
    assert scored(run, asks="").results.get().score == first.score


def calls_of(scorecard):
    return scorecard["llm_judge_details"][0]["payload"]["calls"]


def test_all_judges_can_be_asked_by_another_connection_and_model(run, team, model_server):
    scored(run)
    # What the run was started with counts less than what is chosen now.
    Run.objects.filter(pk=run.pk).update(connections={"gpt-small": {"connection": "models"}})
    run.refresh_from_db()
    make_connection(team, model_server, "other", key="sk-other-4711", model_list=[{"name": "large"}])
    model_server.reset()
    model_server.reply(scores(1))
    row = scored(run, asks="all", connections={"gpt-small": {"connection": "other", "model": "large"}})
    assert {request["model"] for request in model_server.requests} == {"large"}
    assert {headers["authorization"] for headers in model_server.headers} == {"Bearer sk-other-4711"}
    assert row.summary["agents"][0]["new"]["counts"] == {"failed": 2}
    assert row.summary["judging"]["cost_usd"] is None
    assert {call["connection"] for result in row.results.all() for call in calls_of(result.scorecard)} == {"other"}
    # What was said before is kept beside it.
    kept = [each.summary["agents"][0]["new"]["counts"] for each in Rescore.objects.order_by("pk")]
    assert kept == [{"passed": 2}, {"failed": 2}]


def test_another_prompt_is_asked_about_the_same_answers(run, model_server):
    row = scored(run, evaluation=evaluation_text(run).replace("Be kind.", "Be brief."))
    assert row.summary["agents"][0]["new"]["counts"] == {"passed": 2}
    assert all("Be brief." in prompt_of(request) for request in model_server.requests)


def test_a_trial_that_ended_by_trouble_is_not_asked_about(run, model_server):
    run.trials.update(status="error", fault="machine", scorecard={}, score=None)
    row = scored(run, asks="all")
    assert (row.summary["changed"], model_server.requests) == (0, [])


def test_judges_that_rank_are_asked_again_about_all_agents_of_a_case(team, author, agents, model_server, connection):
    version = publish_text(team, author, judged_text(1, RANKING))
    model_server.answer = lambda request: trouble(503)
    run = launch(author, version, [agents["reference"], agents["echo"]])
    work_off_all(run)
    assert Run.objects.get(pk=run.pk).counts == {"undecided": 2}
    model_server.reset()
    model_server.answer = lambda request: prefer_gold(request).replace("by the answer", f"by {KEY}")
    row = scored(run)
    assert len(model_server.requests) == 2
    assert sorted(row.results.values_list("trial__run_agent__name", "score")) == [("echo", 0.0), ("reference", 1.0)]
    assert row.summary["judging"] == {"calls": 2, "tokens": 20, "cost_usd": pytest.approx(2 * CALL_USD)}
    [kept] = row.results.exclude(ranking={})
    assert [call["error"] for call in kept.ranking["best"]["calls"]] == ["", ""]
    assert KEY not in json.dumps(kept.ranking)
    # The run itself still has nobody ranked.
    assert scored(run).summary["judging"]["calls"] == 2


def test_who_is_ranked_keeps_their_place_unless_all_are_asked(team, author, agents, model_server, connection):
    model_server.answer = prefer_gold
    run = launch(author, publish_text(team, author, judged_text(1, RANKING)), [agents["reference"], agents["echo"]])
    work_off_all(run)
    asked = [scored(run, asks=asks).summary["judging"]["calls"] for asks in ("missing", "all")]
    assert asked == [0, 2]


def test_calls_that_fail_cost_nothing(run, model_server):
    model_server.answer = lambda request: trouble(503)
    assert scored(run).summary["judging"]["cost_usd"] == 0


def work_off_all(run):
    for _ in range(5):
        execute_rankings(run.pk)
        try:
            return work_off(run)
        except AssertionError:
            continue
    raise AssertionError(run.status)


def test_models_of_graders_are_asked_again(team, author, agents, model_server, connection):
    """AgentV: the opinion of a model is evidence that a program could have been, and no judge of a scorecard."""
    opinion = {"name": "opinion", "type": "llm-grader", "prompt": "Is it kind?", "target": "gpt-small"}
    version = publish_evals(team, author, eval_test("kind", assertions=[opinion]))
    model_server.answer = lambda request: trouble(503)
    run = work_off(launch(author, version, [agents["echo"]]))
    assert run.counts in ({"error": 1}, {"undecided": 1})
    model_server.reset()
    model_server.reply(json.dumps({"score": 1.0, "assertions": []}))
    row = scored(run)
    assert (row.results.get().status, len(model_server.requests)) == ("passed", 1)
    assert row.summary["judging"]["calls"] == 1
    assert RescoreResult.objects.get().usage["cost_usd"] == pytest.approx(CALL_USD)


def test_judges_of_task_suites_are_asked_again(team, agents, model_server, connection):
    curator = make_member(team, Role.CURATOR)
    version = publish_letter(team, curator)
    run = work_off(launch(curator, version, [agents["reference"]], Options(input_set="open_ended", trials=1)))
    assert run.counts == {"error": 1}
    model_server.reset()
    model_server.answer = replies(4, "true")
    row = scored(run, connections={"judge": {"connection": "models", "model": "gpt-small"}})
    assert (row.results.get().status, len(model_server.requests)) == ("passed", 3)


def test_what_was_asked_before_the_worker_died_is_not_asked_again(run, model_server):
    row = ask_rescore(run, None, Wanted(asks="missing"))
    desk = Desk.take(row)
    trial = run.trials.first()
    RescoreResult.objects.create(rescore=row, trial=trial, old_status="undecided", status="passed", score=1.0)
    # Nobody else begins while it is at work, and somebody does once its worker is silent.
    execute_rescore(row.pk)
    assert (row.results.count(), model_server.requests) == (1, [])
    Rescore.objects.update(touched_at=timezone.now() - timedelta(seconds=60))
    sweep()
    execute_rescore(row.pk)
    row.refresh_from_db()
    assert (row.status, row.results.count(), len(model_server.requests)) == ("completed", 2, 2)
    # The worker that was silent finds out that it is not needed any more.
    desk.look()
    assert desk.is_over()
    desk.give_back()
    row.refresh_from_db()
    assert row.status == "completed"


@pytest.mark.django_db(transaction=True)
def test_cancelling_stops_the_asking_and_keeps_what_was_scored(run, model_server):
    row = ask_rescore(run, None, Wanted(asks="missing"))

    def answer(request):
        # The model answers in a thread of its own.
        if len(model_server.requests) == 2:
            cancel_rescore(row)
            database.close()
        return scores(5)

    model_server.answer = answer
    rescore(row)
    row.refresh_from_db()
    assert (row.status, row.results.count(), len(model_server.requests)) == ("cancelled", 1, 2)
    assert not cancel_rescore(row)


@pytest.mark.django_db(transaction=True)
def test_several_trials_are_judged_at_once(team, author, agents, model_server, connection, settings):
    settings.TRIAL_THREADS = 3
    model_server.answer = lambda request: trouble(503)
    run = work_off(launch(author, publish_text(team, author, judged_text(4)), [agents["echo"]]))
    model_server.reset()
    model_server.answer = lambda request: Answer(scores(5), together=3)
    row = scored(run)
    assert row.summary["agents"][0]["new"]["counts"] == {"passed": 4}
    assert (model_server.most_busy >= 3, len(model_server.requests)) == (True, 8)


def test_a_desk_gives_back_only_what_is_still_its_own(author, version, agents):
    ended = work_off(launch(author, version, [agents["echo"]]))
    row = ask_rescore(ended, send=False)
    desk, rows = Desk.take(row), Rescore.objects.filter(pk=row.pk)
    assert Desk.take(row) is None
    rows.update(lease="another")
    desk.give_back()
    assert rows.get().status == "running"
    rows.update(lease=desk.mark, status="completed")
    desk.give_back()
    assert rows.get().status == "completed"
    rows.update(status="running")
    desk.give_back()
    assert rows.get().status == "queued"
    assert Desk.take(rows.get()) is not None


def test_a_desk_learns_in_its_own_thread_that_it_is_not_wanted_any_more(author, version, agents):
    desk = Desk.take(ask_rescore(work_off(launch(author, version, [agents["echo"]])), send=False))
    desk.looked_at -= 60
    Rescore.objects.update(lease="another")
    with ThreadPoolExecutor(1) as pool:
        assert not pool.submit(desk.is_over).result()
    assert desk.is_over()
    Rescore.objects.update(lease=desk.mark)
    desk.over = False
    desk.look()
    assert not desk.over
    stop_shifts()
    try:
        desk.look()
    finally:
        STOPPING[0] = 0
    assert desk.over
