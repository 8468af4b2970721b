"""Whose fault it is when there is no better verdict."""

from dataclasses import replace

import pytest

from packs.formats.task import Dimension, Environment, Metric, Price, Scoring
from runs.engine.outcome import Verdict
from runs.grading.graders.evidence import build_evidence
from runs.replay import replay
from runs.replay.causes import Fault
from tests.openai_server import trouble
from tests.runs.grading.judges.benches import bench_to, rubric, scores
from tests.runs.tasks import grade, make_task, payload, run, types


@pytest.mark.parametrize(
    ("changes", "verdict", "fault"),
    [
        ({"kind": "regex_match", "expected": "("}, Verdict.ERROR, Fault.PACK),
        ({"kind": "json_schema", "expected": "{}"}, Verdict.FAILED, Fault.AGENT),
        ({"target": "case.inputs.none"}, Verdict.UNDECIDED, Fault.NONE),
        ({"expected": "depot"}, Verdict.FAILED, Fault.NONE),
        ({"expected": "Where"}, Verdict.PASSED, Fault.NONE),
    ],
)
def test_pack_agent_and_nobody_are_told_apart(changes, verdict, fault):
    outcome, _ = run(make_task(**changes))
    assert (outcome.verdict, outcome.fault) == (verdict, fault)
    # Whatever is not simply right or wrong is explained.
    assert bool(outcome.error) == (fault is not Fault.NONE or verdict is Verdict.UNDECIDED)


def test_an_agent_that_gave_no_answer_failed_rather_than_being_undecided():
    outcome, _ = run(make_task(), "scripted", {"default": {"error": "gave up"}})
    assert (outcome.verdict, outcome.fault, outcome.error) == (Verdict.FAILED, Fault.AGENT, "gave up")


def test_scoring_tells_its_result_as_an_event():
    _, events = run(make_task(expected="Where"))
    told = payload(events, "scoring.completed")
    assert (told["status"], told["validity"], told["dimension_scores"]) == ("complete", "valid", {"correctness": 1.0})


SECURITY = {"planted_secrets": [{"name": "KEY", "value": "canary-1", "location": "env"}]}


def test_a_security_policy_adds_a_report_that_changes_no_verdict():
    task = make_task(security=SECURITY)
    leaked, _ = run(task, "scripted", {"default": "hub, and canary-1"})
    report = leaked.scorecard["security_report"]
    assert (leaked.verdict, report["passed"]) == (Verdict.PASSED, False)
    assert "security_report" not in run(make_task())[0].scorecard


def test_a_prompt_that_the_task_holds_is_looked_for_in_its_texts():
    policy = {"adversarial_prompts": [{"name": "i", "text": "say\nyes", "expected_refusal_pattern": "no"}]}
    task = make_task(security=policy)
    task = replace(task, visible={"case": {"payload": {"mail": "please say\nyes"}}})
    outcome, _ = run(task, "scripted", {"default": "yes"})
    assert [found["kind"] for found in outcome.scorecard["security_report"]["incidents"]] == ["adversarial_accepted"]


JUDGED = Scoring(dimensions=(Dimension("tone", "llm_judge", judge="tone"),), pass_threshold=0.5)


def judged(model_server, *judges, threads=1, **more):
    task = replace(make_task(judges=judges or (rubric(samples=2),)), scoring=JUDGED)
    return run(task, bench=replace(bench_to(model_server, threads=threads), **more))


@pytest.mark.parametrize("threads", [1, 3])
def test_judges_decide_and_each_of_their_calls_is_an_event(model_server, threads):
    model_server.reply(scores(4))
    outcome, events = judged(model_server, threads=threads)
    assert (outcome.verdict, outcome.score) == (Verdict.PASSED, 0.75)
    started = [event for event in events if event["event_type"] == "model.call.started"]
    ended = [event for event in events if event["event_type"] == "model.call.completed"]
    assert len(started) == len(ended) == 2
    assert {event["source"] for event in started + ended} == {"worker_scoring"}
    assert "messages" in started[0]["payload"]
    assert started[1]["payload"]["same_messages_as"] == started[0]["sequence_number"]
    assert ended[0]["payload"]["output_text"] == scores(4)
    [details] = outcome.scorecard["llm_judge_details"]
    assert {call["event"] for call in details["payload"]["calls"]} == {event["sequence_number"] for event in ended}


def test_what_judges_use_up_is_not_counted_for_the_agent(model_server):
    model_server.reply(scores(4))
    metrics = tuple(Metric(name, "numeric", name) for name in ("run_total_tokens", "run_model_cost_usd"))
    task = make_task(judges=(rubric(),), environment=Environment(mode="prompt_eval"))
    task = replace(task, scoring=replace(JUDGED, metrics=metrics, prices=(Price("openai", "small", 1, 10),)))
    outcome, events = run(task, bench=bench_to(model_server))
    assert not outcome.usage.get("total_tokens")
    assert {metric["state"] for metric in outcome.scorecard["metric_details"]} == {"unavailable"}
    again = build_evidence([task.evidence], events)
    assert again.recording.usage.by_model == {}


def test_a_recording_that_was_judged_before_is_judged_anew(model_server):
    model_server.reply(scores(4))
    outcome, events = judged(model_server)
    task = replace(make_task(judges=(rubric(),)), scoring=JUDGED)
    judged_again, again = grade(task, None, events)
    assert judged_again.verdict is Verdict.UNDECIDED
    assert "model.call.completed" not in types(again)


def test_cancelling_while_judges_are_asked_cancels_the_trial(model_server):
    cancelled = []

    def answer(request):
        cancelled.append(True)
        return scores(4)

    model_server.answer = answer
    outcome, events = judged(model_server, is_cancelled=lambda: bool(cancelled))
    assert (outcome.verdict, outcome.scorecard) == (Verdict.CANCELLED, {})
    assert "scoring.completed" not in types(events)


def test_a_judge_that_fails_is_told_with_its_trouble_and_leaves_the_trial_undecided(model_server):
    model_server.script([trouble(401)])
    outcome, events = judged(model_server, rubric())
    assert (outcome.verdict, outcome.fault) == (Verdict.UNDECIDED, Fault.NONE)
    ended = payload(events, "model.call.completed")
    assert (ended["finish_reason"], ended["problem"]) == ("error", "authentication")
    assert [step["type"] for step in replay(events)["steps"] if "error_message" in step] == ["model_call"]


def test_nothing_is_asked_about_a_trial_that_our_machine_or_the_pack_broken(model_server):
    task = replace(make_task(judges=(rubric(),)), scoring=JUDGED)
    outcome, _ = run(task, "recorded", {"outputs": [{"case_key": "one"}]}, bench=bench_to(model_server))
    assert outcome.verdict is Verdict.ERROR
    assert model_server.requests == []
