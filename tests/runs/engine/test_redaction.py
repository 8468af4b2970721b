"""Secrets stay out of what a trial leaves behind for people; graders read what was answered."""

import pytest

from packs.formats.task import GraderSpec
from runs.agents import AGENTS
from runs.agents.endpoints.contract import ModelReply
from runs.engine.entrant import Entrant
from runs.engine.outcome import Outcome, Verdict
from runs.engine.redaction import DiscreetRecorder, shown_outcome
from runs.engine.trial import run_trial
from runs.grading.graders.contract import Grade, State
from runs.grading.graders.contract import Outcome as GraderOutcome
from runs.grading.judges import Bench
from runs.replay.redaction import MARK, Redactor
from runs.sandbox import SANDBOXES
from tests.runs.engine.test_consulting import task_of
from tests.runs.grading.judges.benches import bench_to, rubric, scores
from tests.runs.tasks import make_task, payload

KEY = "sk-planted-4711"


def try_it(answer, *keys, expected, **more):
    """A trial of an agent that answers so, in a team with these keys."""
    events = []
    entrant = Entrant(AGENTS["scripted"], "scripted", {"default": answer}, redactor=Redactor(keys))
    task = make_task(kind="exact_match", expected=expected, **more)
    return run_trial(task, entrant, SANDBOXES["local"], events.append), events


def test_an_event_is_cleared_before_it_is_handed_on_and_kept_as_it_was():
    given = []
    recorder = DiscreetRecorder("native_engine", given.append, redactor=Redactor(["hush-4711"]))
    recorder.record("tool.call.completed", {"tool_name": "t", "network": [{"path": "/?key=hush%2D4711"}]})
    assert [event["payload"]["network"][0]["path"] for event in given] == [f"/?key={MARK}"]
    assert recorder.events[0]["payload"]["network"][0]["path"] == "/?key=hush%2D4711"
    assert recorder.shown_events() == given


@pytest.mark.parametrize("key", ["RIGHT", "I", "x", "none", "EMPTY", KEY])
@pytest.mark.parametrize("answer", ["RIGHT", "I", "none of it", f"it is {KEY}"])
def test_an_answer_is_graded_as_it_was_given_whatever_the_keys_are(key, answer):
    outcome, _ = try_it(answer, key, expected=answer)
    assert outcome.verdict is Verdict.PASSED


@pytest.mark.parametrize("expected", [f"it is {KEY}", "no", f"it is {MARK}"])
def test_what_is_stored_of_a_graded_answer_holds_no_secret(expected):
    outcome, events = try_it(f"it is {KEY}", KEY, expected=expected)
    assert KEY not in f"{events} {outcome.scorecard} {outcome.error}"
    assert (outcome.verdict is Verdict.PASSED) == (expected == f"it is {KEY}")
    assert outcome.final_output == payload(events, "system.run.completed")["final_output"] == f"it is {MARK}"


def test_short_keys_are_left_in_what_is_stored():
    outcome, events = try_it("RIGHT", "RIGHT", "I", expected="RIGHT")
    assert outcome.final_output == payload(events, "system.run.completed")["final_output"] == "RIGHT"


def test_what_an_agent_breaks_off_with_tells_no_secret():
    outcome, events = try_it({"error": f"refused {KEY}"}, KEY, expected="x")
    assert outcome.error == payload(events, "system.run.failed")["error"] == f"refused {MARK}"


class Voice:
    """A model of another provider, which keeps what it is told."""

    name, provider, has_responses = "voice", "acme", False

    def __init__(self, text):
        self.text, self.heard = text, []

    def ask(self, request):
        self.heard.append(str(request.messages))
        return ModelReply(self.text, "voice")


def told_by_leak(task, voice):
    """The messages that a model of another provider got in a trial whose agent repeats the key."""
    entrant = Entrant(AGENTS["scripted"], "scripted", {"default": f"it is {KEY}"}, redactor=Redactor([KEY]))
    run_trial(task, entrant, SANDBOXES["local"], [].append, bench=Bench(lambda model: voice))
    return "".join(voice.heard)


def test_a_simulated_user_is_not_told_a_key_that_an_agent_told():
    phases = [{"id": "one", "actor": "llm", "trigger": "always", "persona": "A buyer.", "max_turns": 2}]
    told = told_by_leak(make_task(conversation={"phases": phases}), Voice("And now?"))
    assert (f"it is {MARK}" in told, KEY in told) == (True, False)


def test_a_model_that_a_grader_asks_is_not_told_a_key_that_an_agent_told():
    told = told_by_leak(task_of({"name": "opinion", "type": "llm-grader", "prompt": "Is it kind?"}), Voice("no"))
    assert (f"it is {MARK}" in told, KEY in told) == (True, False)


def test_a_judge_is_not_told_a_key_that_an_agent_told(model_server):
    """Judges are models of other providers; graders of words still read the answer as it is."""
    model_server.reply(scores(4))
    events = []
    grader = GraderSpec("answer", "exact_match", "final_output", f"literal:it is {KEY}")
    task = make_task(graders=(grader,), judges=(rubric(),))
    entrant = Entrant(AGENTS["scripted"], "scripted", {"default": f"it is {KEY}"}, redactor=Redactor([KEY]))
    outcome = run_trial(task, entrant, SANDBOXES["local"], events.append, bench=bench_to(model_server))
    assert outcome.verdict is Verdict.PASSED
    [request] = model_server.requests
    assert KEY not in str(request)
    assert f"it is {MARK}" in str(request)


def test_what_a_grade_says_of_an_answer_holds_no_secret():
    outcome, _ = try_it(f"it is {KEY}", KEY, expected="no")
    [grade] = outcome.grades
    assert KEY not in f"{grade.reason} {grade.actual} {grade.expected} {grade.raw}"
    given = Grade("one", "exact_match", State.AVAILABLE, GraderOutcome.FAIL, reason=f"not {KEY}", raw={"found": (KEY,)})
    recorder = DiscreetRecorder("native_engine", [].append, redactor=Redactor([KEY]))
    [shown] = shown_outcome(Outcome(Verdict.FAILED, grades=(given,)), recorder).grades
    assert (shown.reason, shown.raw) == (f"not {MARK}", {"found": [MARK]})


@pytest.mark.parametrize(("answer", "is_kept"), [(f"it is {KEY}", False), ("it is here", True)])
def test_what_was_read_of_events_is_kept_only_where_nothing_was_hidden_in_them(answer, is_kept):
    outcome, _ = try_it(answer, KEY, expected="no")
    assert (outcome.recording is not None) == is_kept
