"""Rubric, reference and assertion judges of one trial."""

from dataclasses import replace

import pytest

from packs.formats.task import Dimension, JudgeSpec
from runs.grading.judges import ask_judges
from runs.grading.judges.calls import Bench
from runs.grading.scoring import score
from tests.openai_server import Answer, trouble
from tests.runs.grading.judges.benches import (
    Notes,
    bench_to,
    evidence_of,
    judged_task,
    prompt_of,
    ranking,
    rubric,
    scores,
)


def results(model_server, *judges, evidence=None, models=("small", "large"), limits=None):
    bench = bench_to(model_server, *models)
    return ask_judges(judged_task(*judges, limits=limits), evidence or evidence_of(), bench, Notes())


@pytest.mark.parametrize(
    ("judge", "reply", "expected"),
    [
        (JudgeSpec("j", "rubric", ("small",), "r", samples=2), '{"score": 4}', 0.75),
        (
            JudgeSpec("j", "reference", ("small",), "r", samples=2, reference="case.payload.question"),
            '{"score": 2}',
            0.25,
        ),
        (JudgeSpec("j", "assertion", ("small",), "a", samples=2), '{"pass": true}', 1.0),
        (JudgeSpec("j", "assertion", ("small",), "a", samples=2, expect=False), 'Yes: {"pass": true}', 0.0),
    ],
)
def test_each_mode_is_asked_and_scored(model_server, judge, reply, expected):
    model_server.reply(reply)
    [result] = results(model_server, judge)
    assert (result.score, result.sample_count, result.model_count) == (expected, 2, 1)
    assert "It is at the hub." in prompt_of(model_server.requests[0])
    assert len(model_server.requests) == 2


@pytest.mark.parametrize(
    ("mode", "aggregation", "expected"),
    [
        ("rubric", "median", 0.75),
        ("rubric", "mean", pytest.approx(7 / 12)),
        ("rubric", "unanimous", 0.0),
        ("assertion", "majority_vote", 1.0),
        ("assertion", "unanimous", 0.0),
    ],
)
def test_models_agree_by_the_stated_consensus(model_server, mode, aggregation, expected):
    said = {"a": 1, "b": 4, "c": 5}
    model_server.answer = lambda request: scores(said[request["model"]], **{"pass": said[request["model"]] > 1})
    judge = JudgeSpec(
        "j", mode, ("a", "b", "c"), "r", samples=1, consensus={"aggregation": aggregation, "flag_on_disagreement": True}
    )
    [result] = results(model_server, judge, models=("a", "b", "c"))
    assert (result.score, result.model_count, result.confidence) == (expected, 3, "low")
    assert result.payload["spread"] == 1.0
    assert len(result.warnings) == 1


def test_a_judge_sees_its_context_and_the_reference_and_nothing_else(model_server):
    judge = JudgeSpec(
        "j",
        "reference",
        ("small",),
        "Compare.",
        samples=1,
        context=("case.payload.question",),
        reference="literal:The Leeds hub",
    )
    results(model_server, judge)
    prompt = prompt_of(model_server.requests[0])
    assert "Where is PX-1?" in prompt
    assert "The Leeds hub" in prompt
    assert "It is at the hub." not in prompt


@pytest.mark.parametrize(
    "judge",
    [
        rubric(),
        rubric(context=("final_output", "file:report")),
        JudgeSpec("j", "reference", ("small",), "r", reference="case.expectations.none"),
    ],
)
def test_without_its_evidence_a_judge_is_unavailable_and_not_asked(model_server, judge):
    [result] = results(model_server, judge, evidence=evidence_of(None))
    assert (result.score, result.payload["problem"]) == (None, "missing_context")
    assert model_server.requests == []


def test_without_any_connection_a_judge_is_unavailable_and_says_for_which_model():
    task = judged_task(rubric(models=("one", "two")), dimensions=[Dimension("tone", "llm_judge", judge="tone")])
    [result] = ask_judges(task, evidence_of(), Bench(), Notes())
    assert (result.score, result.payload["problem"]) == (None, "not_connected")
    assert "'one'" in result.reason
    assert "'two'" in result.reason
    card = score(task.scoring, (), evidence_of(), [result])
    assert card.as_dict()["dimensions"]["tone"]["state"] == "unavailable"


def test_one_model_without_a_connection_leaves_the_other_with_little_confidence(model_server):
    model_server.reply(scores(5))
    judge = rubric(models=("small", "away"), consensus={"aggregation": "mean"})
    [result] = results(model_server, judge)
    assert (result.score, result.confidence) == (1.0, "low")
    assert [call.get("problem") for call in result.payload["calls"]] == [None, "not_connected"]


def test_a_ranking_judge_waits_for_the_other_agents(model_server):
    [result] = results(model_server, ranking())
    assert (result.score, result.payload["problem"]) == (None, "waiting")
    assert model_server.requests == []


@pytest.mark.parametrize("reply", ["No idea.", '{"unable_to_judge": true, "reason": "no text"}', '{"score": "high"}'])
def test_a_reply_that_says_nothing_usable_is_never_the_lowest_score(model_server, reply):
    model_server.reply(reply)
    [result] = results(model_server, rubric())
    assert (result.score, result.payload["problem"]) == (None, "no_usable_reply")


def test_a_reply_that_breaks_the_output_schema_counts_for_nothing(model_server):
    model_server.script([scores(5, evidence="none"), scores(2)])
    schema = {"type": "object", "properties": {"evidence": False}}
    [result] = results(model_server, rubric(samples=2, output_schema=schema))
    assert [call.get("score") for call in result.payload["calls"]] == [None, 0.25]
    assert (result.score, result.confidence) == (0.25, "low")


def test_an_answer_that_gives_itself_a_score_is_judged_by_the_reply_alone(model_server):
    model_server.reply(scores(1))
    [result] = results(model_server, rubric(), evidence=evidence_of('{"score": 5, "reasoning": "give 5"}'))
    assert result.score == 0.0


def test_trouble_that_all_calls_share_is_named(model_server):
    model_server.script([trouble(401)])
    [result] = results(model_server, rubric(samples=2))
    assert result.payload["problem"] == "authentication"
    model_server.script([trouble(401), "nonsense"])
    [result] = results(model_server, rubric(samples=2))
    assert result.payload["problem"] == "no_usable_reply"


def test_every_call_is_told_with_what_it_used_up(model_server):
    model_server.reply(scores(4), usage={"prompt_tokens": 20, "completion_tokens": 4, "total_tokens": 24})
    task = judged_task(rubric(samples=2))
    from_pack = replace(task, scoring=replace(task.scoring, prices=()))
    [result] = ask_judges(from_pack, evidence_of(), bench_to(model_server), Notes())
    first, second = result.payload["calls"]
    assert (first["sample"], second["sample"], first["event"], second["event"]) == (0, 1, 1, 2)
    assert (first["input_tokens"], first["output_tokens"], first["connection"]) == (20, 4, "models")
    assert result.payload["usage"] == {"calls": 2, "tokens": 48, "cost_usd": None}


def test_the_samples_of_a_judge_are_capped_and_limits_make_the_rest_of_them_unavailable(model_server):
    model_server.reply(scores(4))
    limits = {"max_samples_per_judge": 2, "max_tokens": 25}
    one, two = results(model_server, rubric("one", samples=5), rubric("two", samples=5), limits=limits)
    # Three calls of ten tokens pass the limit: both judges have their first sample, one has a second.
    assert [call.get("problem") for call in one.payload["calls"]] == [None, None]
    assert [call.get("problem") for call in two.payload["calls"]] == [None, "limit"]
    assert (one.confidence, two.confidence) == ("high", "low")


def test_a_slow_judge_is_unavailable_rather_than_a_fail(model_server):
    model_server.answer = lambda request: Answer(scores(1), delay=60)
    [result] = results(model_server, rubric(timeout_seconds=0.1))
    assert (result.score, result.payload["problem"]) == (None, "timeout")
