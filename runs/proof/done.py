"""What an agent did, as events of a reference, with a part of it changed or left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from packs.formats.task import Task
from runs.proof.mutants import mutants_of
from runs.proof.probes import Code, Expect, Probe, Work
from runs.proof.rules import looks_beside_answers

SAYS, ASKS = "turn.assistant.message", "turn.user.message"
# How many turns are changed, in how many ways each, and how many calls are left out one by one.
MOST_TURNS, MOST_CHANGES, MOST_CALLS = 3, 2, 3
_TEXTS = {
    "a conversation in which the agent says nothing": (Code.ACCEPTS_EMPTY, ""),
    "a conversation in which the agent knows nothing": (Code.ACCEPTS_REFUSAL, "I do not know."),
}
Events = Sequence[Mapping[str, Any]]


def done_otherwise(task: Task, gold: Work) -> Iterator[Probe]:
    """Probes with the events of a reference in which the agent says or does something else."""
    if any(_type(event) == SAYS for event in gold.events):
        yield from _said_otherwise(gold)
    if any(_is_call(event) for event in gold.events) and any(looks_beside_answers(spec.kind) for spec in task.graders):
        yield from _called_otherwise(gold)


def _said_otherwise(gold: Work) -> Iterator[Probe]:
    for name, (code, text) in _TEXTS.items():
        events = [_saying(event, text) if _type(event) == SAYS else event for event in gold.events]
        yield Probe(name, code, Expect.REFUSE, Work(text, gold.files, events))
    echoed = list(_echoed(gold.events))
    if echoed != list(gold.events):
        name = "a conversation in which the agent repeats the user"
        yield Probe(name, Code.ACCEPTS_ECHO, Expect.REFUSE, Work("", gold.files, echoed))
    turns = [index for index, event in enumerate(gold.events) if _type(event) == SAYS]
    for number, at in enumerate(turns[:MOST_TURNS], start=1):
        for probe in islice(mutants_of(_content(gold.events[at])), MOST_CHANGES):
            events = [*gold.events[:at], _saying(gold.events[at], probe.work.text), *gold.events[at + 1 :]]
            text = probe.work.text if at == turns[-1] else gold.text
            yield replace(probe, name=f"{probe.name} in turn {number}", work=Work(text, gold.files, events))


def _called_otherwise(gold: Work) -> Iterator[Probe]:
    rest = [event for event in gold.events if not _is_call(event)]
    name = "an agent that says the right thing and calls no tool"
    yield Probe(name, Code.ACCEPTS_NOTHING_DONE, Expect.REFUSE, replace(gold, events=rest))
    tools = list(dict.fromkeys(_tool(event) for event in gold.events if _is_call(event)))
    for tool in tools[:MOST_CALLS] if len(tools) > 1 else ():
        events = [event for event in gold.events if not _is_call(event) or _tool(event) != tool]
        # It may be one that an agent need not call.
        work = replace(gold, events=events)
        yield Probe(f"`{tool}` not called", Code.ACCEPTS_MUTANT, Expect.REFUSE, work, counts=True, decides=False)


def _echoed(events: Events) -> Iterator[Mapping[str, Any]]:
    asked = ""
    for event in events:
        asked = _content(event) if _type(event) == ASKS else asked
        yield _saying(event, asked) if _type(event) == SAYS and asked else event


def _type(event: Mapping[str, Any]) -> str:
    return str(event.get("event_type"))


def _payload(event: Mapping[str, Any]) -> Mapping[str, Any]:
    payload = event.get("payload")
    return payload if isinstance(payload, dict) else {}


def _content(event: Mapping[str, Any]) -> str:
    return str(_payload(event).get("content") or "")


def _tool(event: Mapping[str, Any]) -> str:
    return str(_payload(event).get("tool_name") or "")


def _is_call(event: Mapping[str, Any]) -> bool:
    return _type(event).startswith("tool.call.")


def _saying(event: Mapping[str, Any], text: str) -> Mapping[str, Any]:
    return {**event, "payload": {**_payload(event), "content": text}}
