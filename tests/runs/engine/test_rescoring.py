"""Scoring stored events once more."""

from dataclasses import replace

import pytest

from packs.formats.task import Dimension, Scoring
from runs.engine.outcome import Verdict
from runs.engine.rescoring import Inquiry, is_asked_again, score_again
from runs.replay.causes import Fault
from tests.runs.grading.judges.benches import bench_to, rubric, scores
from tests.runs.tasks import make_task, run


def test_an_unchanged_task_gives_the_same_scorecard():
    task = make_task(expected="Where")
    first, events = run(task)
    again = score_again(task, events)
    assert (again.verdict, again.score, again.scorecard) == (first.verdict, first.score, first.scorecard)


def test_a_changed_task_judges_what_the_agent_answered_then():
    _, events = run(make_task(expected="depot"))
    assert score_again(make_task(expected="Where"), events).verdict is Verdict.PASSED


def test_a_mistake_in_the_pack_can_be_mended_afterwards():
    broken, events = run(make_task(kind="regex_match", expected="("))
    assert (broken.verdict, broken.fault) == (Verdict.ERROR, Fault.PACK)
    assert score_again(make_task(kind="regex_match", expected="W.ere"), events).verdict is Verdict.PASSED


def test_events_of_a_scoring_are_numbered_after_those_that_it_leaves_out(model_server):
    task = make_task(expected="Where")
    _, events = run(task)
    told = {
        "event_type": "grader.opinion.recorded",
        "source": "grader_verification",
        "occurred_at": "2026-01-02T03:04Z",
    }
    events.append({**told, "sequence_number": len(events) + 1, "payload": {"validator_key": "old"}})
    emitted = []
    score_again(task, events, Inquiry(bench_to(model_server), asks_all=True), emit=emitted.append)
    assert [event["sequence_number"] for event in emitted] == [len(events) + 1 + at for at in range(len(emitted))] != []


def test_an_agent_that_failed_has_failed_again():
    _, events = run(make_task(), "scripted", {"default": {"error": "no key"}})
    again = score_again(make_task(), events)
    assert (again.verdict, again.fault, again.error) == (Verdict.FAILED, Fault.AGENT, "no key")


def test_what_was_broken_or_never_happened_cannot_be_scored():
    _, events = run(make_task(reference=None), "reference")
    assert events
    assert score_again(make_task(), events) is None
    assert score_again(make_task(), []) is None


PLAYED = {"phases": [{"id": "one", "actor": "llm", "trigger": "always", "persona": "A buyer.", "max_turns": 1}]}


@pytest.mark.parametrize(
    ("kind", "config", "more"),
    [
        ("chat", {}, {}),
        ("http", {"address": "https://example.org"}, {}),
        ("command", {"arguments": ["no-such-program"]}, {}),
        ("recorded", {"outputs": [{"case_key": "one"}]}, {}),
        ("recorded", {"outputs": []}, {}),
        ("reference", {}, {"reference": None}),
        ("echo", {}, {"conversation": PLAYED}),
    ],
)
@pytest.mark.parametrize("forgets", [False, True], ids=["as told", "without the fault"])
def test_trouble_never_becomes_a_verdict(kind, config, more, forgets):
    """An easy task is passed by anything that is judged at all, and a hard one failed."""
    first, events = run(make_task(**more), kind, config)
    assert first.verdict in (Verdict.ERROR, Verdict.CANCELLED)
    for event in events if forgets and first.stop_reason != "provider_error" else ():
        # Trials of earlier versions did not say whose trouble it was.
        event["payload"].pop("fault", None)
    assert score_again(make_task(expected="", **more), events) is None
    assert score_again(make_task(expected="depot", **more), events) is None


@pytest.mark.parametrize(
    ("told", "is_judged"),
    [
        ({"provider_failure": {"code": "server"}}, False),
        ({"fault": "machine"}, False),
        ({"fault": "agent"}, True),
        ({"fault": ["odd"]}, True),
    ],
)
def test_trouble_of_a_provider_is_known_by_what_the_event_tells(told, is_judged):
    payload = {"error": "503", "stop_reason": "provider_error", **told}
    ended = {"sequence_number": 1, "event_type": "system.run.failed", "source": "native_engine", "payload": payload}
    assert (score_again(make_task(), [ended]) is not None) is is_judged


@pytest.fixture
def judged(model_server):
    """A task with a judge of two samples, with its outcome and events."""
    scoring = Scoring(dimensions=(Dimension("tone", "llm_judge", judge="tone"),), pass_threshold=0.5)
    task = replace(make_task(judges=(rubric(samples=2),)), scoring=scoring)
    replies = iter([scores(5), scores(3)])
    model_server.answer = lambda request: next(replies)
    outcome, events = run(task, bench=bench_to(model_server))
    return task, outcome, events


def test_judges_are_not_asked_again_and_say_what_they_said(judged, model_server):
    task, outcome, events = judged
    assert (outcome.verdict, outcome.score) == (Verdict.PASSED, 0.75)
    asked = len(model_server.requests)
    again = score_again(task, events)
    assert (again.verdict, again.score) == (outcome.verdict, outcome.score)
    assert len(model_server.requests) == asked == 2


def test_a_judge_that_would_be_asked_something_else_is_unavailable(judged):
    task, _, events = judged
    changed = replace(task, judges=(rubric(samples=2, text="Be brief."),))
    assert score_again(changed, events).verdict is Verdict.UNDECIDED
    other = replace(task, judges=(rubric(samples=2, models=("other",)),))
    assert score_again(other, events).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("payload", "missing", "everybody"),
    [
        ({"validator_key": "opinion", "output_text": "kind"}, False, True),
        ({"validator_key": "opinion#2", "error": "503", "problem": "server"}, True, True),
        # Judges that read files, or that a program asked, cannot be asked again without the files or the program.
        ({"validator_key": "opinion", "error": "503", "calls": 2}, False, False),
        ({"validator_key": "check/proxy#1", "error": "503"}, False, False),
    ],
)
def test_only_models_that_can_answer_without_the_workspace_are_asked_again(payload, missing, everybody):
    told = {"event_type": "grader.opinion.recorded", "source": "grader_verification", "payload": payload}
    assert (is_asked_again(told, asks_all=False), is_asked_again(told, asks_all=True)) == (missing, everybody)
    # What models said of a trial that took place elsewhere came with it, and counts.
    assert not is_asked_again({**told, "source": "hosted_external"}, asks_all=True)
    assert not is_asked_again({**told, "event_type": "model.call.completed"}, asks_all=True)
