"""Models for programs of graders."""

import json
import threading
import time

import pytest

from runs.agents.endpoints.contract import EndpointFailed, ModelReply, Trouble, Usage
from runs.agents.endpoints.listening import Asked
from runs.grading.graders.commands import ModelAccess
from runs.grading.judges import Bench
from runs.grading.judges.limits import Allowance
from runs.grading.judges.proxy import Proxy


class Voice:
    """A model that says the last thing that it is told, in capitals."""

    name, provider, has_responses = "voices", "here", False

    def __init__(self):
        self.requests = []

    def ask(self, request):
        self.requests.append(request)
        said = request.messages[-1]["content"]
        if said == "break":
            raise EndpointFailed(Trouble.UNREACHABLE, "nobody is there")
        return ModelReply(text=said.upper(), model="small", usage=Usage(7, 3, 0.25))


class Program:
    """What a program asks of a proxy, and what came of it."""

    def __init__(self, access=None, threads=1, allowance=None, endpoints=None):
        self.voice, self.noted = Voice(), []
        bench = Bench(endpoints or (lambda model: self.voice), threads=threads)
        access = access or ModelAccess("judge", ("judge", "strict"))
        self.proxy = Proxy(access, bench, allowance or Allowance(), lambda *told: self.noted.append(told))

    def run(self, *requests):
        """The statuses and documents of these requests, made by one program one after the other."""
        return self.proxy.attend(lambda is_stopped: [self.ask(*request) for request in requests])

    def ask(self, path, document=None, method="POST", token=None):
        body = json.dumps(document).encode() if document is not None else b""
        told = self.proxy.respond(Asked(method, path, self.proxy.token if token is None else token, body))
        return told.status, told.document


@pytest.fixture(params=[1, 4], ids=["in its own thread", "in several threads"])
def program(request):
    return Program(threads=request.param)


def test_a_program_asks_the_judge_and_is_told_the_reply_and_its_tokens(program):
    [(status, reply)] = program.run(("/invoke", {"question": "kind?", "systemPrompt": "Be brief."}))
    assert (status, reply) == (
        200,
        {
            "output": [{"role": "assistant", "content": "KIND?"}],
            "rawText": "KIND?",
            "tokenUsage": {"input": 7, "output": 3},
        },
    )
    [asked] = program.voice.requests
    assert (asked.model, [message["role"] for message in asked.messages]) == ("judge", ["system", "user"])
    assert [(number, answer.text) for number, answer in program.noted] == [(1, "KIND?")]


def test_what_it_asks_counts_among_what_the_judges_use_up(program):
    program.run(("/invoke", {"question": "one"}), ("/invoke", {"question": "two"}))
    assert (program.proxy.allowance.used_tokens, program.proxy.allowance.used_usd) == (20, 0.5)


def test_a_batch_is_answered_in_its_order_with_what_is_wrong_in_its_place(program):
    wanted = [{"question": "one"}, {}, {"question": "two", "target": "strict"}, {"question": "x", "target": "other"}]
    [(status, replies)] = program.run(("/invokeBatch", {"requests": wanted}))
    texts = [reply["rawText"] for reply in replies["responses"]]
    assert (status, texts[0], texts[2]) == (200, "ONE", "TWO")
    assert all(text.startswith("Error: ") for text in (texts[1], texts[3]))
    assert program.proxy.calls == 2


def test_the_program_can_look_up_whom_it_asks_and_how_often(program):
    found = program.run(("/invoke", {"question": "one"}), ("/info", None, "GET"))
    known = {"targetName": "judge", "maxCalls": 50, "callCount": 1, "availableTargets": ["judge", "strict"]}
    assert found[1] == (200, known)


def test_no_more_calls_are_made_than_the_assertion_allows():
    program = Program(ModelAccess("judge", None, most_calls=2))
    batch = ("/invokeBatch", {"requests": [{"question": "a"}] * 3})
    single = ("/invoke", {"question": "a"})
    assert [status for status, _ in program.run(batch, single, single, single)] == [429, 200, 200, 429]
    assert len(program.voice.requests) == 2


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (("/invoke", {"question": "x"}, "POST", "guess"), 401),
        (("/info", None, "GET", ""), 401),
        (("/invoke", {"question": ""}), 400),
        (("/invoke", ["x"]), 400),
        (("/invoke", {"question": "x", "target": "gpt-9"}), 400),
        (("/invokeBatch", {"requests": "x"}), 400),
        (("/invokeBatch", {"requests": []}), 200),
        (("/models", None, "GET"), 404),
        (("/info", {}), 404),
    ],
)
def test_what_is_no_request_is_refused_without_asking_anybody(request_, status):
    program = Program()
    assert program.run(request_)[0][0] == status
    assert (program.voice.requests, program.proxy.calls) == ([], 0)


def test_without_a_list_of_targets_any_model_can_be_named():
    program = Program(ModelAccess("judge"))
    assert program.run(("/invoke", {"question": "x", "target": "gpt-9"}))[0][0] == 200
    assert program.voice.requests[0].model == "gpt-9"


def test_a_model_that_fails_is_told_to_the_program_and_kept(program):
    [(status, reply)] = program.run(("/invoke", {"question": "break"}))
    assert (status, reply) == (500, {"error": "nobody is there"})
    assert [answer.problem for answer in program.proxy.failures] == ["unreachable"]


def test_a_model_without_connection_and_a_limit_are_told_too():
    program = Program(endpoints=lambda model: None)
    assert program.run(("/invoke", {"question": "x"}))[0][0] == 500
    assert program.proxy.failures[0].problem == "not_connected"
    limited = Program(allowance=Allowance(tokens=5, used_tokens=5))
    assert limited.run(("/invoke", {"question": "x"}))[0][0] == 500
    assert (limited.proxy.failures[0].problem, limited.voice.requests) == ("limit", [])


def test_what_the_program_raises_comes_through():
    def work(is_stopped):
        raise FileNotFoundError("no such program")

    with pytest.raises(FileNotFoundError):
        Program().proxy.attend(work)


def test_a_cancelled_run_stops_the_program():
    program = Program()
    cancelled = threading.Event()
    program.proxy.bench = Bench(is_cancelled=cancelled.is_set)

    def work(is_stopped):
        cancelled.set()
        while not is_stopped():
            pass
        return "stopped"

    assert program.proxy.attend(work) == "stopped"


def test_after_the_program_has_ended_nobody_is_asked_any_more():
    program = Program()
    program.run()
    assert program.ask("/invoke", {"question": "late"})[0] == 503
    assert program.voice.requests == []


def test_a_program_that_asks_without_a_pause_hears_that_the_run_was_cancelled(program):
    program.proxy.bench = Bench(is_cancelled=lambda: True, threads=program.proxy.bench.threads)
    most = time.monotonic() + 240

    def work(is_stopped):
        while not is_stopped() and time.monotonic() < most:
            program.ask("/invoke", {"question": "kind?"})
        return is_stopped()

    assert program.proxy.attend(work)
