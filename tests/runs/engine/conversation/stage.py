"""Conversations for tests of the engine."""

from runs.agents.endpoints.contract import EndpointFailed, ModelReply, Usage
from runs.engine.conversation.waiting import Resumption
from runs.engine.events import Event
from runs.grading.judges import Bench
from tests.runs.tasks import make_task, run

ASKED = "turn.awaiting_human"


def scripted(identity, *messages, trigger=None, expects=()):
    turns = [{"message": message, "expects": list(expects)} for message in messages]
    phase = {"id": identity, "actor": "scripted", "turns": turns}
    return {**phase, "trigger": trigger} if trigger else phase


def played(identity, **more):
    return {"id": identity, "actor": "llm", "persona": "A hurried customer.", "trigger": "manual", **more}


def person(identity="agent", **more):
    return {"id": identity, "actor": "human", "persona": "Be firm.", "trigger": "manual", **more}


def talk(*phases, kind="echo", config=None, max_turns=0, bench=None, resumption=None, **more):
    script = {"schema_version": 1, "kind": "hybrid", "max_turns": max_turns, "phases": list(phases)}
    task = make_task(mode="multi_turn", conversation=script, **more)
    return run(task, kind, config, bench=bench, resumption=resumption)


def go_on(events: list[Event], answer, *phases, **more):
    """Play on after a wait; gives the outcome and all events of the trial."""
    outcome, added = talk(*phases, resumption=Resumption(events, answer), **more)
    return outcome, [*events, *added]


def said(events):
    return [event["payload"]["content"] for event in events if event["event_type"] == "turn.user.message"]


class Voice:
    """An endpoint that says what it is told to, and remembers what it was asked; an exception is raised."""

    name, provider, has_responses = "desk", "test", False

    def __init__(self, *replies):
        self.replies = list(replies)
        self.asked = []

    def ask(self, request):
        self.asked.append(request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, EndpointFailed):
            raise reply
        return ModelReply(reply, request.model, usage=Usage(5, 2, 0.001), seconds=0.2)


def bench_of(**voices):
    return Bench(endpoints=voices.get)
