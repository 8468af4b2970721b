"""Conversations that end with a turn that fails, and how much of the talk an agent is told (agentv C.7)."""

import json
import time
from dataclasses import replace

from packs.formats.task import Budgets, Dimension, GraderSpec, Scoring
from runs.engine.conversation.playing import converse
from runs.engine.conversation.script import Script
from runs.engine.conversation.simulating import Player
from runs.engine.outcome import Verdict
from runs.engine.recorder import Recorder
from runs.engine.rescoring import score_again
from tests.runs.engine.conversation.stage import Voice, bench_of, said, scripted
from tests.runs.tasks import make_task, payload, run, types

YES, NO = (json.dumps({"score": score}) for score in (1, 0))
JUDGE = {"name": "kind", "type": "llm-grader", "prompt": "Is it kind?"}


def says(text):
    return {"name": text, "type": "contains", "value": text}


def task_of(*turns, whole=(), **options):
    """A test with a turn for each pair of a message and its assertions; an echo repeats the messages."""
    stated = [{"input": message, "assertions": list(asked)} for message, asked in turns]
    config = {"test": {}, "threshold": 0.8, "conversation": {"turns": stated, **options}, "assertions": list(whole)}
    graders = (GraderSpec("conversation", "agentv.conversation", config=config),)
    script = {"phases": [scripted("turns", *(message for message, _ in turns))], **options}
    task = make_task(mode="multi_turn", conversation=script, graders=graders)
    dimension = Dimension("conversation", "grader", graders=("conversation",))
    return replace(task, scoring=Scoring(dimensions=(dimension,), strategy="gated_mean", pass_threshold=0.8))


def rows(outcome):
    [grade] = outcome.grades
    return {row["name"]: row["score"] for row in grade.raw["row"]["members"]}


def test_a_conversation_ends_with_the_turn_that_fails_where_the_test_says_so():
    turns = [("hub", [says("hub")]), ("depot", [says("hub")]), ("hub again", [says("hub")])]
    outcome, events = run(task_of(*turns, on_turn_failure="stop"))
    assert said(events) == ["hub", "depot"]
    assert payload(events, "conversation.completed")["stop_reason"] == "turn_failed"
    assert rows(outcome) == {"turn-1": 1.0, "turn-2": 0.0, "turn-3": 0.0}
    assert (outcome.verdict, outcome.final_output) == (Verdict.FAILED, "depot")
    outcome, events = run(task_of(*turns))
    assert said(events) == ["hub", "depot", "hub again"]
    assert rows(outcome) == {"turn-1": 1.0, "turn-2": 0.0, "turn-3": 1.0}


def test_a_model_is_asked_of_each_turn_once_and_of_none_that_was_not_reached():
    voice = Voice(YES, NO, YES)
    turns = [(word, [JUDGE]) for word in ("one", "two", "three")]
    task = task_of(*turns, whole=[JUDGE], on_turn_failure="stop")
    outcome, events = run(task, bench=bench_of(judge=voice))
    keys = [event["payload"]["validator_key"] for event in events if event["event_type"] == "grader.opinion.recorded"]
    assert keys == [
        "conversation/turn-1/kind",
        "conversation/turn-2/kind",
        "conversation/conversation/kind",
    ]
    assert rows(outcome) == {"turn-1": 1.0, "turn-2": 0.0, "turn-3": 0.0, "conversation": 1.0}
    assert types(events).index("grader.opinion.recorded") < types(events).index("conversation.completed")
    assert score_again(task, events).score == outcome.score


def test_a_judge_of_a_turn_and_of_the_whole_sees_what_was_said_before():
    voice = Voice(YES)
    run(task_of(("first word", []), ("second word", [JUDGE]), whole=[JUDGE]), bench=bench_of(judge=voice))
    for request in voice.asked:
        assert "first word" in request.messages[-1]["content"]
        assert "second word" in request.messages[-1]["content"]


def test_a_turn_that_nobody_can_judge_does_not_end_the_conversation():
    turns = [("one", [JUDGE]), ("two", [says("two")])]
    outcome, events = run(task_of(*turns, on_turn_failure="stop"))
    assert said(events) == ["one", "two"]
    assert outcome.verdict is Verdict.UNDECIDED


def test_what_judging_takes_is_not_the_agents_time(monkeypatch):
    hours, clock = [0], time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: clock() + 3600 * hours[0])

    class Slow(Voice):
        def ask(self, request):
            hours[0] += 1
            return super().ask(request)

    task = replace(task_of(("one", [JUDGE]), ("two", []), on_turn_failure="stop"), budgets=Budgets(wall_seconds=1800))
    outcome, events = run(task, bench=bench_of(judge=Slow(YES)))
    assert (outcome.verdict, outcome.stop_reason) == (Verdict.PASSED, "completed")
    assert 0 <= payload(events, "system.run.completed")["latency_ms"] < 1_800_000


def test_an_agent_is_told_no_more_of_the_talk_than_the_window_holds():
    told = []

    def ask(turn, history):
        told.append([entry["content"] for entry in history])
        return turn.message.upper()

    events = []
    script = Script.read({"phases": [scripted("a", "a", "b", "c", "d")], "window_size": 1})
    assert converse(script, ask, Recorder("multi_turn", events.append), Player(lambda phase: None)) == "D"
    assert told == [[], ["a", "A"], ["b", "B"], ["c", "C"]]
    assert said(events) == ["a", "b", "c", "d"]
