"""The table of causes and blames: every row happens here, and stands in the documentation."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from packs.formats.task import Dimension, Scoring
from runs.agents import AGENTS
from runs.agents.endpoints.contract import Trouble
from runs.agents.endpoints.openai import OpenAIEndpoint
from runs.agents.endpoints.statuses import trouble_of
from runs.engine.conversation.waiting import Resumption
from runs.engine.entrant import Entrant
from runs.engine.trial import run_trial
from runs.grading.judges import Bench
from runs.jobs.trials.batches import broken
from runs.replay.causes import CAUSES, Fault, Group, cause
from runs.replay.trajectories.records import events_of
from runs.sandbox.contract import Isolation, SandboxUnavailable
from tests.openai_server import Answer, trouble
from tests.runs.agents.talking import KEY, make_web, talk
from tests.runs.grading.graders.test_suite_judges import compiled
from tests.runs.grading.judges.benches import rubric
from tests.runs.tasks import grade, make_task, run

DOCUMENT = Path(__file__).resolve().parents[3] / "docs/blame.md"
HTML = "<!DOCTYPE html><title>Sign in</title>"


class Place:
    """What a row is tried with: a model server and a way to it."""

    def __init__(self, server, web):
        self.server, self.web = server, web

    def chat(self, answer, **more):
        self.server.answer = lambda request: answer
        return talk(make_task(mode="prompt_eval"), self.server, self.web, **more)[0]

    def post(self, answer, **config):
        self.server.answer = lambda request: answer
        config = {"address": f"{self.server.url}/agent", "max_retries": 0, **config}
        return talk(make_task(), self.server, self.web, kind="http", config=config)[0]


def endpoint_of(server, web, **more):
    return OpenAIEndpoint("models", server.url, web, KEY, **{"max_retries": 0, **more})


class Judging(Place):
    """The same, but the model judges what another agent answered."""

    def chat(self, answer, **more):
        self.server.answer = lambda request: answer
        task = replace(make_task(graders=(), judges=(rubric(),)), scoring=JUDGED)
        endpoint = endpoint_of(self.server, self.web, **more)
        return run(task, "echo", bench=Bench(lambda model: endpoint))[0]


class Simulating(Place):
    """The same, but the model plays the user."""

    def chat(self, answer, **more):
        self.server.answer = lambda request: answer
        phases = [{"id": "one", "actor": "llm", "trigger": "always", "persona": "A buyer.", "max_turns": 1}]
        endpoint = endpoint_of(self.server, self.web, **more)
        return run(make_task(conversation={"phases": phases}), "echo", bench=Bench(lambda model: endpoint))[0]


@pytest.fixture
def place(model_server):
    web = make_web()
    yield Place(model_server, web)
    web.close()


def whole(**value):
    return Answer(raw=json.dumps(value).encode())


def text(kind, body):
    return Answer(raw=body.encode(), headers={"Content-Type": kind})


def program(code, **more):
    return lambda place: run(make_task(), "command", {"arguments": [sys.executable, "-c", code], **more})[0]


def recorded(row):
    return lambda place: run(make_task(), "recorded", {"outputs": [row] if row else []})[0]


def record(termination):
    """An imported trial that ended so."""
    trace = {"steps": [], "outcome": {"success": False, "safety_flags": []}, "termination": termination}
    return lambda place: grade(make_task(), *events_of(trace))[0]


class Nowhere:
    LABEL, ISOLATION = "Nowhere", Isolation.FULL

    def open_workspace(self, room):
        raise SandboxUnavailable("the disk is full")


def unanswered(place):
    """A conversation that waits for a person who says nothing."""
    phases = [{"id": "one", "actor": "human", "trigger": "always", "timeout_ms": 1000}]
    task, entrant, events = make_task(conversation={"phases": phases}), Entrant(AGENTS["echo"], "echo"), []
    run_trial(task, entrant, Nowhere(), events.append)
    return run_trial(task, entrant, Nowhere(), events.append, resumption=Resumption(list(events), None))


def simulated(place):
    """A conversation whose user is a model that nobody answers for."""
    phases = [{"id": "one", "actor": "llm", "trigger": "always", "persona": "A buyer.", "max_turns": 1}]
    return run(make_task(conversation={"phases": phases}), "echo")[0]


def statuses(*listed, post=False, **more):
    return [lambda place, status=status: (place.post if post else place.chat)(trouble(status)) for status in listed]


def chat(*answers):
    return [lambda place, answer=answer: place.chat(answer) for answer in answers]


def post(*answers, **config):
    return [lambda place, answer=answer: place.post(answer, **config) for answer in answers]


def elsewhere(url):
    """An endpoint at another address."""
    return lambda place: type(place)(Elsewhere(place.server, url), place.web).chat("hub")


def no_tests(place):
    """A trial whose grader had a command that could not be started."""
    ran = {"validator_key": "answer", "execution_error": "no such program"}
    told = [{"event_type": "grader.verification.code_executed", "payload": ran}]
    return grade(make_task(kind="code_execution", target="file:main.py"), "hub", told)[0]


class Elsewhere:
    """A model server that is thought to be at another address."""

    def __init__(self, server, url):
        self.answer, self.url = server.answer, url


# A record whose files stayed where the trial took place.
LACKING = {"task_id": "one", "events": [], "candidate": {"candidate_workspace": "w"}}
JUDGED = Scoring(dimensions=(Dimension("tone", "llm_judge", judge="tone", gate=True, pass_threshold=0.5),))
REVIEW = {"type": "human_review", "assertions": ["It is polite"], "critical": True}
MOVED = Answer(status=302, raw=b"", headers={"Location": "/"})
LATE = Answer("late", delay=60)
NO_JSON = [text("text/html", HTML), text("application/json", ""), text("application/json", "Bad gateway"), whole(id=1)]
METADATA = "http://169.254.169.254/latest"
CRASH = "import sys; sys.exit(3)"
SIGNAL = "import os; os.kill(os.getpid(), 9)"

# What makes each row happen; every entry of a row has to end as the row says.
HAPPENINGS = {
    Group.MODEL: {
        "authentication": statuses(401, 403),
        "not_found": [*statuses(404, 405, 410), *chat(trouble(400, code="model_not_found"))],
        "redirected": chat(MOVED),
        "refused": statuses(400, 422),
        "not_allowed": [elsewhere(METADATA)],
        "spent": [*statuses(402), *chat(trouble(429, code="insufficient_quota"))],
        "rate_limited": statuses(429),
        "server": [*statuses(409, 425, 500, 503), *chat(whole(error={"message": "overloaded"}))],
        "unreachable": [elsewhere("http://127.0.0.1:9/v1")],
        "timeout": [*statuses(408), lambda place: place.chat(LATE, timeout_seconds=0.2)],
        "bad_reply": chat(*NO_JSON),
        "too_long": [*statuses(413), *chat(trouble(400, code="context_length_exceeded"))],
        "filtered": chat(trouble(400, code="content_filter")),
    },
    Group.ADDRESS: {
        "authentication": [*statuses(401, 403, post=True), *post("hub", headers={"X": "${secrets.NOBODY}"})],
        "not_found": statuses(404, 405, 410, post=True),
        "redirected": post(MOVED),
        "not_allowed": post("hub", address=METADATA),
        "wrong_type": post(text("text/html", HTML), text("image/png", "hub"), text("text/event-stream", "hub")),
        "spent": statuses(402, post=True),
        "rate_limited": statuses(429, post=True),
        "unreachable": [*statuses(502, 503, 504, post=True), *post("hub", address="http://127.0.0.1:9/")],
        "server": statuses(500, post=True),
        "refused": statuses(400, 422, post=True),
        "too_long": statuses(413, post=True),
        "bad_reply": post(text("application/json", "{"), text("application/json", ""), whole(answer="hub")),
        "timeout": [*statuses(408, post=True), *post(LATE, timeout_seconds=0.2)],
    },
    Group.PROGRAM: {
        "not_started": [lambda place: run(make_task(), "command", {"arguments": ["no-such-program"]})[0]],
        "crashed": [program(CRASH), program(SIGNAL)],
        "too_much": [program("print('x' * 20_000_000)")],
        "protocol": [program("print('hub')", protocol="events"), program("", protocol="events")],
        "timeout": [program("import time; time.sleep(60)", timeout_seconds=0.3)],
    },
    Group.RECORDING: {
        "no_row": [recorded(None), lambda place: run(make_task(), "scripted", {"answers": {"two": "hub"}})[0]],
        "no_output": [recorded({"case_key": "one"})],
        "no_workspace": [recorded({"case_key": "one", "trial": LACKING})],
        "cancelled": [record("cancelled")],
        "infrastructure": [record("infra_error")],
    },
    Group.TRIAL: {
        "agent": [
            lambda place: run(make_task(), "scripted", {"default": {"error": "no idea"}})[0],
            lambda place: run(make_task(), "scripted", {"default": {"events": [{"type": "scoring.completed"}]}})[0],
            record("agent_error"),
        ],
        "configuration": [lambda place: run(make_task(), "chat")[0], lambda place: run(make_task(), "http")[0]],
        "pack": [lambda place: run(make_task(reference=None), "reference")[0]],
        "sandbox": [lambda place: run(make_task(), "command", {"arguments": ["true"]}, sandbox=Nowhere())[0]],
        "simulator": [simulated],
        "person": [unanswered],
        "studio": [lambda place: broken("The studio made a mistake.")],
    },
    Group.GRADER: {
        "unavailable": [lambda place: run(make_task(target="case.inputs.none"))[0]],
        "pending": [lambda place: grade(compiled(REVIEW), "I did it.")[0]],
        "infra_error": [no_tests],
        "pack_error": [lambda place: run(make_task(kind="regex_match", expected="("))[0]],
        "evaluator_error": [lambda place: run(make_task(kind="json_schema", expected="{}"))[0]],
    },
}


@pytest.mark.parametrize(
    ("row", "happening"),
    [
        pytest.param(row, happening, id=f"{row.group}-{row.key}-{number}")
        for row in CAUSES
        for number, happening in enumerate(HAPPENINGS.get(row.group, {}).get(row.key, [None]))
    ],
)
def test_every_cause_ends_a_trial_as_its_row_says(place, row, happening):
    assert happening is not None, "the row needs something that makes it happen"
    outcome = happening(place)
    assert (outcome.verdict.value, outcome.fault, outcome.stop_reason) == (row.status, row.fault, row.stop_reason)
    if row.group is not Group.GRADER:
        assert bool(outcome.scorecard) == (row.fault is Fault.AGENT)
    assert outcome.error


@pytest.mark.parametrize("trouble", [trouble for trouble in Trouble if trouble is not Trouble.CANCELLED])
def test_all_trouble_with_a_model_is_in_the_table(trouble):
    assert cause(Group.MODEL, trouble).key == trouble


def test_every_status_of_an_address_is_in_the_table():
    found = {trouble_of(status) for status in range(300, 600)}
    assert {cause(Group.ADDRESS, trouble).key for trouble in found} == {trouble.value for trouble in found}


@pytest.mark.parametrize("answers", HAPPENINGS[Group.MODEL].values(), ids=HAPPENINGS[Group.MODEL])
def test_a_judge_in_trouble_judges_nothing(place, answers):
    """Whatever keeps a judge's model from a reply, nobody fails for it."""
    for happening in answers:
        outcome = happening(Judging(place.server, place.web))
        assert outcome.verdict.value == "undecided", outcome
        assert outcome.score is None


@pytest.mark.parametrize("answers", HAPPENINGS[Group.MODEL].values(), ids=HAPPENINGS[Group.MODEL])
def test_a_simulated_user_in_trouble_is_no_failure_of_the_agent(place, answers):
    for happening in answers:
        outcome = happening(Simulating(place.server, place.web))
        assert (outcome.verdict.value, outcome.stop_reason) == ("error", "simulator_error"), outcome


def test_the_documentation_has_the_same_table():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.+?) \| (\w+) \| (\S+) \| `(\w+)` \|$", DOCUMENT.read_text(), re.M)
    wanted = [
        (row.group.value, row.key, row.happened, row.status, f"`{row.fault}`" if row.fault else "–", row.stop_reason)
        for row in CAUSES
    ]
    assert rows == wanted
