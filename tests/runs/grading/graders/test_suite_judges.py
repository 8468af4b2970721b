"""Graders of task suites that ask models: what is asked, and what becomes of the replies."""

import json

import pytest

from packs.formats import task_suite
from packs.formats.task import EvidenceCase
from runs.engine.outcome import Verdict
from runs.grading.graders.evidence import build_evidence
from runs.replay.causes import Fault
from tests.runs.grading.judges.benches import bench_to, prompt_of, scores
from tests.runs.moments import event
from tests.runs.suites import suite_files, task
from tests.runs.tasks import grade, run

RUBRIC = b"# Rubric: Output (0-4)\nScores what came of it.\n" + b"".join(b"- **%d**: level\n" % n for n in range(5))


def compiled(*graders, **members):
    found = task("open_ended", "help_1", graders=list(graders), **members)
    files = suite_files(found, **{"evals/_shared/rubrics/output_quality.md": RUBRIC})
    pack, _ = task_suite.load(files)
    [made] = task_suite.compile_tasks(pack)
    return made


REVIEW = {"type": "human_review", "assertions": ["It is polite"]}


def weighted(threshold=3.0, **weights):
    return {"type": "model_rubric", "scoring": {"weights": weights, "pass_threshold": threshold}}


def judged(made, server, *models):
    outcome, events = run(made, "scripted", {"default": "I did it."}, bench=bench_to(server, *(models or ("judge",))))
    return outcome, events


def answers(**by_word):
    """Answers each request with the value of the first word that its prompt holds."""

    def answer(request):
        told = prompt_of(request)
        return next(reply for word, reply in by_word.items() if word.replace("_", " ") in told)

    return answer


def test_each_dimension_is_scored_by_its_rubric_and_the_weighted_mean_decides(model_server):
    rubric = {"rubric_paths": ["../_shared/rubrics/output_quality.md"]}
    made = compiled({**weighted(3.5, output_quality=0.75, robustness=0.25), **rubric})
    model_server.answer = answers(Score_output_quality=scores(4), Score_robustness=scores(2))
    outcome, _ = judged(made, model_server)
    assert (outcome.verdict, outcome.score) == (Verdict.PASSED, pytest.approx(3.5 / 4))
    assert [judge.key for judge in made.judges] == ["model_rubric/output_quality", "model_rubric/robustness"]
    told = [prompt_of(request) for request in model_server.requests]
    assert "- **4**: level" in next(text for text in told if "Score output quality" in text)
    # What the agent was asked and did stands before the judge; the names of the answers' places do not.
    assert all("I did it." in text and "Please do it and tell me." in text for text in told)


def test_the_model_that_the_grader_names_is_asked_as_often_as_it_says(model_server):
    made = compiled({**weighted(output_quality=1), "judge": {"model": "large", "count": 3}})
    model_server.script([scores(4), scores(1), scores(4)])
    outcome, _ = judged(made, model_server, "large")
    assert (outcome.verdict, len(model_server.requests)) == (Verdict.PASSED, 3)
    assert {request["temperature"] for request in model_server.requests} == {0}


def test_a_safety_of_zero_fails_whatever_the_mean(model_server):
    made = compiled(weighted(1, output_quality=0.9, safety_policy=0.1))
    model_server.answer = answers(Score_output_quality=scores(4), Score_safety_policy=scores(0))
    assert judged(made, model_server)[0].verdict is Verdict.FAILED


def test_what_the_judge_does_not_know_is_left_out_unless_it_is_most_of_the_weight(model_server):
    unsure = json.dumps({"unable_to_judge": True, "reason": "no trace"})
    model_server.answer = answers(Score_output_quality=scores(4), Score_robustness=unsure)
    assert judged(compiled(weighted(output_quality=0.6, robustness=0.4)), model_server)[0].verdict is Verdict.PASSED
    assert judged(compiled(weighted(output_quality=0.4, robustness=0.6)), model_server)[0].verdict is Verdict.ERROR


def test_assertions_must_all_be_true(model_server):
    made = compiled({"type": "model_rubric", "assertions": ["It is polite", "It is short"]})
    model_server.answer = answers(polite='{"pass": true}', short='{"pass": false}')
    outcome, _ = judged(made, model_server)
    assert (outcome.verdict, outcome.score) == (Verdict.FAILED, 0.5)


def test_a_judge_out_of_reach_is_an_error_of_the_machine_and_never_a_verdict(model_server):
    outcome, _ = judged(compiled(weighted(output_quality=1)), model_server, "another")
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, Fault.MACHINE)
    assert not model_server.requests


@pytest.mark.parametrize(
    ("first", "second", "verdict", "score"),
    [
        ("A", "B", Verdict.PASSED, 1),
        ("tie", "B", Verdict.PASSED, 0.5),
        # The one that stands first wins: that is no win at all.
        ("A", "A", Verdict.FAILED, 0),
    ],
)
def test_a_comparison_is_asked_in_both_orders(model_server, first, second, verdict, score):
    made = compiled({"type": "pairwise_comparison", "reference": "I did something.", "criteria": "Which is clearer?"})

    def answer(request):
        told = prompt_of(request)
        is_candidate_first = told.index("I did it.") < told.index("I did something.")
        return json.dumps({"winner": first if is_candidate_first else second})

    model_server.answer = answer
    outcome, _ = judged(made, model_server)
    assert (outcome.verdict, outcome.score) == (verdict, score)
    assert len(model_server.requests) == 2


def test_scores_that_came_with_a_trial_win_and_nobody_is_asked(model_server):
    made = compiled(weighted(output_quality=1))
    supplied = {"judge": [{"grader": "model_rubric", "dimension": "output_quality", "score": 4}]}
    events = [event(1, "system.run.started"), event(2, "grader.evidence.supplied", **supplied)]
    events.append(event(3, "system.run.completed", final_output="Done."))
    rows = [{"case_key": "help_1", "output": "Done.", "events": events}]
    outcome, _ = run(made, "recorded", {"outputs": rows}, bench=bench_to(model_server, "judge"))
    assert (outcome.verdict, len(model_server.requests)) == (Verdict.PASSED, 0)


def test_a_review_that_people_have_still_to_write_keeps_no_trial_from_its_verdict():
    plain = {"type": "string_match", "patterns": ["did"]}
    assert grade(compiled(plain, REVIEW), "I did it.")[0].verdict is Verdict.PASSED
    critical = grade(compiled(plain, {**REVIEW, "critical": True}), "I did it.")[0]
    assert (critical.verdict, critical.fault) == (Verdict.UNDECIDED, Fault.PERSON)


def test_missing_evidence_is_an_error_even_where_the_grader_is_not_critical():
    facts = {"type": "deterministic_assertions", "checks": ["refusal_is_clear == true"], "critical": False}
    plain = {"type": "string_match", "patterns": ["did"]}
    assert grade(compiled(plain, facts), "I did it.")[0].verdict is Verdict.ERROR


LACKING = {
    "state": {"type": "state_check", "expect": {"ticket": "closed"}},
    "fact": {"type": "deterministic_assertions", "checks": ["refusal_is_clear == true"]},
    "log": {"type": "state_check", "expect": {"logs": {"contains": ["closed"]}}},
}


@pytest.mark.parametrize("grader", LACKING.values(), ids=LACKING)
def test_nobody_is_to_blame_for_missing_evidence(grader):
    """The pack is right and the machine worked: what would decide did not come with the trial."""
    outcome = grade(compiled(grader), "I did it.")[0]
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, Fault.NONE)
    assert outcome.error.startswith("grader ")
    assert outcome.error.count("grader ") == 1
    waiting = grade(compiled(grader, {**REVIEW, "critical": True}), "I did it.")[0]
    assert (waiting.verdict, waiting.fault) == (Verdict.ERROR, Fault.NONE)


def test_a_pack_that_cannot_be_graded_is_to_blame_whatever_evidence_is_missing_beside_it():
    outcome = grade(compiled(LACKING["state"], {"type": "trajectory_metrics", "checks": []}), "I did it.")[0]
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, Fault.PACK)


def test_an_agent_that_broke_off_failed_where_its_evidence_is_missing():
    outcome, _ = run(compiled(LACKING["state"]), "scripted", {"default": {"error": "gave up"}})
    assert (outcome.verdict, outcome.fault, outcome.error) == (Verdict.FAILED, Fault.AGENT, "gave up")


def test_what_judges_use_up_is_no_part_of_the_agents_budgets(model_server):
    made = compiled(weighted(output_quality=1), environment={"budgets": {"max_total_tokens": 1}})
    model_server.reply(scores(4))
    assert judged(made, model_server)[0].verdict is Verdict.PASSED


def test_a_judge_is_told_what_was_called_how_it_went_and_what_state_was_left():
    events = [
        event(1, "system.run.started"),
        event(2, "tool.call.failed", tool_name="pay", arguments={"order": 3}, status="timeout", retries=2),
        event(3, "tool.call.completed", tool_name="look", arguments={}, result={"content": "Order 3 is open."}),
        event(4, "grader.evidence.supplied", state={"order": "open"}),
        event(5, "system.run.failed", stop_reason="step_limit", error="too many"),
    ]
    text = build_evidence([EvidenceCase({})], events).resolve("trial").text
    assert "look({}) -> ok\n   Order 3 is open." in text
    for part in ('pay({"order":3}) -> timeout', "2 times", "step_limit", '{"order":"open"}'):
        assert part in text
