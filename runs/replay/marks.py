"""What makes two steps alike: short marks of every step, so that replays are compared without holding their events.

Times, ids, and what a step used up differ between any two trials, so they are no part of a mark; nor are the messages
that a model was sent, which repeat what other steps already show.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import orjson

from runs.replay.index import StepIndex
from runs.replay.steps import Event
from runs.replay.vocabulary import KINDS

SIZE = 12
# How deep in a payload ids and times are passed over: its members, those of a result, those of a list of calls.
DEPTH = 3

# Kind of step -> members that name it; two steps of one name are two attempts at the same thing.
NAMES = {
    KINDS["tool_call"]: ("tool_name", "subagent_key"),
    KINDS["model_call"]: ("subagent_key", "validator_key"),
    KINDS["agent_step"]: ("subagent_key",),
    KINDS["scoring_metric"]: ("metric_key",),
    KINDS["sandbox_file"]: ("action",),
    KINDS["event"]: ("validator_key", "hook", "key"),
}
# Kind of step -> members that say what was done, in place of all that was recorded.
DEEDS = {
    KINDS["tool_call"]: ("arguments",),
    KINDS["model_call"]: ("output_text", "tool_calls"),
    KINDS["sandbox_command"]: ("command", "working_directory"),
    KINDS["sandbox_file"]: ("path",),
    KINDS["output"]: ("final_output",),
    KINDS["run"]: (),
    KINDS["agent_step"]: (),
    KINDS["scoring"]: (),
    KINDS["scoring_metric"]: (),
}
# Steps that hold others: the steps within show how they ended, where it came about.
ENCLOSING = (KINDS["run"], KINDS["agent_step"])
# Kinds of which every type of event is a thing of its own.
TYPED = (KINDS["event"], KINDS["sandbox_file"])

PASSING = frozenset(
    {
        "id",
        "agent_name",
        "artifact_ids",
        "attempts",
        "cost_usd",
        "deployment_type",
        "duration",
        "is_stored",
        "isolation",
        "messages",
        "model",
        "prices",
        "provider_key",
        "seconds",
        "standings",
        "step_count",
        "step_index",
        "timing",
        "tool_call_count",
        "turn_index",
        "usage",
    }
)
PASSING_ENDS = ("_id", "_at", "_ms", "_seconds", "_tokens")
# What a tool is given counts to the letter, whatever its members are called.
EXACT = "arguments"


@dataclass(slots=True)
class Marks:
    """Three marks of every step, in the order of the steps.

    `names` are alike where the same thing was attempted (kind, and the name of the tool), `deeds` where it was also
    done with the same arguments or words, `wholes` where in addition the same came of it.
    """

    names: list[bytes] = field(default_factory=list)
    deeds: list[bytes] = field(default_factory=list)
    wholes: list[bytes] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.names)


def mark_steps(index: StepIndex, events: Iterable[Event]) -> Marks:
    """The marks of all steps of a replay; `events` are all of its events, in any order.

    Of the events only those are held whose steps are still open.
    """
    count = len(index)
    marks = Marks([b""] * count, [b""] * count, [b""] * count)
    places = index.places()
    waiting: dict[int, Event] = {}
    for event in events:
        position = places.get(event["sequence_number"])
        if position is None:
            continue
        start, end = index.starts[position], index.ends[position]
        if end in (0, start):
            _mark(marks, index, position, event, event["payload"])
        elif position not in waiting:
            waiting[position] = event
        else:
            other = waiting.pop(position)
            is_first = event["sequence_number"] == start
            first, last = (event, other) if is_first else (other, event)
            _mark(marks, index, position, first, {**first["payload"], **last["payload"]})
    return marks


def _mark(marks: Marks, index: StepIndex, position: int, first: Event, payload: Mapping[str, Any]) -> None:
    kind, state = index.kinds[position], index.states[position]
    name = [kind, first["event_type"] if kind in TYPED else "", *(payload.get(key) for key in NAMES.get(kind, ()))]
    facts = lasting(payload)
    done = {key: facts.get(key) for key in DEEDS[kind]} if kind in DEEDS else facts
    marks.names[position] = digest(name)
    marks.deeds[position] = digest([name, done])
    marks.wholes[position] = marks.deeds[position] if kind in ENCLOSING else digest([name, facts, state])


def lasting(value: Any, depth: int = DEPTH) -> Any:
    """A recorded value without what differs between any two trials: times, ids, and what was used up."""
    if depth and isinstance(value, Mapping):
        return {
            key: inner if key == EXACT else lasting(inner, depth - 1)
            for key, inner in value.items()
            if key not in PASSING and not key.endswith(PASSING_ENDS)
        }
    return [lasting(inner, depth - 1) for inner in value] if depth and isinstance(value, list) else value


def digest(value: Any) -> bytes:
    """A short mark of a JSON value, the same for any order of its keys."""
    try:
        text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        # Numbers beyond 64 bits and lone surrogates.
        text = json.dumps(value, sort_keys=True).encode()
    return blake2b(text, digest_size=SIZE).digest()
