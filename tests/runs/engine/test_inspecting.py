"""Judges that look at the files that an agent left."""

import json

import pytest

from runs.agents.endpoints.contract import EndpointFailed, ModelReply, ToolCall, Trouble, Usage
from runs.engine.outcome import Verdict
from runs.grading.judges import Bench
from tests.runs.engine.test_consulting import command, task_of
from tests.runs.tasks import run, types

JUDGE = {"name": "opinion", "type": "llm-grader", "prompt": "Is it tidy?", "max_steps": 3}
LEAVE = command("open('notes.txt', 'w').write('swept the hub'); print('hub')")


class Reader:
    """A model that makes these calls of tools, one after the other, and replies once it has no more."""

    name, provider, has_responses = "voices", "here", False

    def __init__(self, *calls, reply='{"score": 1}'):
        self.calls, self.reply, self.requests = list(calls), reply, []

    def ask(self, request):
        self.requests.append(request)
        usage = Usage(10, 5, 0.25)
        if self.calls and request.tools:
            name, arguments = self.calls.pop(0)
            if name is None:
                raise EndpointFailed(Trouble.SERVER, "it broke")
            made = ToolCall(f"call-{len(self.requests)}", name, json.dumps(arguments))
            return ModelReply(text="", model="small", tool_calls=(made,), usage=usage)
        return ModelReply(text=self.reply, model="small", usage=usage)


def tried(reader, assertion=JUDGE, agent=("command", LEAVE), **test):
    task = task_of(assertion)
    if test:
        [spec] = task.graders
        spec.config["test"].update(test)
    return run(task, *agent, bench=Bench(lambda model: reader))


def reply_of(events):
    [found] = [event["payload"] for event in events if event["event_type"] == "grader.opinion.recorded"]
    return found


def test_a_judge_reads_files_and_its_calls_are_told_with_its_reply():
    reader = Reader(("list_files", {}), ("read_file", {"path": "notes.txt"}))
    outcome, events = tried(reader)
    assert (outcome.verdict, outcome.score) == (Verdict.PASSED, 1.0), outcome.error
    assert "swept the hub" in reader.requests[2].messages[-1]["content"]
    told = reply_of(events)
    assert [look["tool"] for look in told["looked_at"]] == ["list_files", "read_file"]
    assert (told["calls"], told["input_tokens"], told["cost_usd"]) == (3, 30, 0.75)
    assert outcome.grades[0].raw["usage"] == {"calls": 3, "tokens": 45, "cost_usd": 0.75}
    # Nothing of it is the agent's own doing.
    assert not [kind for kind in types(events) if kind.startswith(("tool.", "system.step"))]


def test_a_judge_that_goes_on_looking_must_reply_with_its_last_call():
    reader = Reader(*[("list_files", {})] * 9)
    outcome, _ = tried(reader)
    assert outcome.verdict is Verdict.PASSED
    assert [bool(request.tools) for request in reader.requests] == [True, True, False]


@pytest.mark.parametrize("tool", ["write_file", "exec", "submit"])
def test_a_judge_can_only_read(tool):
    reader = Reader((tool, {"path": "notes.txt", "content": "mine", "command": ["true"]}))
    _, events = tried(reader)
    assert "not available" in reply_of(events)["looked_at"][0]["result"]
    assert {each["function"]["name"] for each in reader.requests[0].tools} == {
        "list_files",
        "read_file",
        "search_files",
        "search_text",
    }


def test_a_judge_that_fails_while_it_looks_is_our_machine():
    outcome, _ = tried(Reader(("list_files", {}), (None, {})))
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "machine")


def test_without_a_workspace_there_is_nothing_to_look_at():
    reader = Reader(("list_files", {}))
    outcome, events = tried(reader, agent=("echo", {}))
    assert (outcome.verdict, len(reader.requests)) == (Verdict.PASSED, 1)
    assert not reader.requests[0].tools
    assert "looked_at" not in reply_of(events)


@pytest.mark.parametrize(
    ("assertion", "test", "looks"),
    [
        ({"max_steps": 3}, {}, True),
        ({}, {}, False),
        ({"max_steps": 0}, {}, False),
        ({"target": "plain", "max_steps": 3}, {"targets": ["plain", "looker"], "agentic": ["looker"]}, False),
        ({"target": "looker"}, {"targets": ["plain", "looker"], "agentic": ["looker"]}, True),
    ],
)
def test_the_targets_say_who_looks_else_the_assertion_does(assertion, test, looks):
    reader = Reader()
    stated = {key: value for key, value in JUDGE.items() if key != "max_steps"} | assertion
    assert tried(reader, stated, **test)[0].verdict is Verdict.PASSED
    assert bool(reader.requests[0].tools) is looks
    assert ("tools that you are given" in reader.requests[0].messages[0]["content"].replace("\n", " ")) is looks


def test_temperature_and_model_of_an_assertion_reach_the_model():
    asked, reader = [], Reader()
    task = task_of({"name": "opinion", "type": "llm-grader", "prompt": "Kind?", "temperature": 0.5, "model": "large"})
    run(task, "echo", bench=Bench(lambda model: asked.append(model) or reader))
    assert (asked[-1], reader.requests[0].temperature) == ("large", 0.5)
