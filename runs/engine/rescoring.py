"""Scoring what a trial left behind once more: from its stored events, without asking the agent or any model again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from packs.formats.task import Task
from runs.agents.contract import AgentFailed
from runs.causes import Fault
from runs.endpoints.contract import Endpoint, EndpointFailed, ModelReply, ModelRequest, Trouble, Usage
from runs.engine.outcome import Ending, Outcome
from runs.engine.recorded import copy_recording
from runs.engine.recorder import Emit, Recorder
from runs.engine.trial import failed, ignore, recorder_of, settle
from runs.graders.evidence import SCORING_SOURCE
from runs.judges import Bench, still_ranked
from runs.redaction import Redactor
from runs.scoring import JudgeResult, read_judge

Event = Mapping[str, Any]

# Of how a trial ended this is judged; anything else was trouble that the agent could do nothing about.
JUDGED = (Fault.NONE, Fault.AGENT)
ENDS = ("system.run.completed", "system.run.failed")


def score_again(task: Task, events: Sequence[Event]) -> Outcome | None:
    """What a trial is worth as the task says now.

    None when there is nothing to judge: its events do not tell how the agent's part ended, or it ended by trouble that
    was not the agent's. That stays what it was, and never becomes a verdict.

    What the first scoring told is left out; what was taken from the workspace then is evidence now. A judge that is
    asked what it was asked then gives the same reply, and one that ranks as it ranked then the same result; any other
    one is unavailable.
    """
    found = retell(task, events)
    if found is None:
        return None
    ending, recorder = found
    ranked = still_ranked(task, told_judges(events))
    return settle(task, ending, recorder, Bench(Archive(events).endpoint, known=ranked))


def judge_again(
    task: Task, events: Sequence[Event], judges: Sequence[JudgeResult], emit: Emit, redactor: Redactor | None = None
) -> Outcome | None:
    """What a trial is worth with these results of its judges; nobody is asked. None as for `score_again`.

    `emit` is given what this scoring tells, numbered on from the trial's own events; `redactor` cuts out of it what
    nobody may read.
    """
    found = retell(task, events, redactor)
    if found is None:
        return None
    ending, retold = found
    recorder = replace(retold, emit_event=emit, events=[dict(event) for event in events])
    return settle(task, ending, recorder, Bench(known={judge.judge_key: judge for judge in judges}))


def retell(task: Task, events: Sequence[Event], redactor: Redactor | None = None) -> tuple[Ending, Recorder] | None:
    """How the agent's part of a trial ended, and what was recorded of it; None when there is nothing to judge."""
    told = [event for event in events if event["source"] != SCORING_SOURCE]
    if not any(event["event_type"] in ENDS for event in told):
        return None
    recorder = recorder_of(task, ignore, redactor)
    try:
        ending = copy_recording(recorder, None, told)
    except AgentFailed as error:
        return failed(error), recorder
    return None if ending.is_cancelled or ending.fault not in JUDGED else (ending, recorder)


def told_judges(events: Sequence[Event]) -> list[JudgeResult]:
    """What the last scoring of a trial said of its judges."""
    last = next((event for event in reversed(events) if event["event_type"] == "scoring.completed"), None)
    return [read_judge(document) for document in last["payload"].get("llm_judge_results", ())] if last else []


def key_of(messages: Any) -> bytes:
    """What was asked, as something to look up."""
    return orjson.dumps(messages, option=orjson.OPT_SORT_KEYS)


class Archive:
    """The replies that judges gave when a trial was scored, by model and by what was asked, in the order of samples."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.replies: dict[str, dict[bytes, list[Mapping[str, Any]]]] = {}
        asked: dict[int, Any] = {}
        pending: Mapping[str, Any] = {}
        for event in events:
            payload = event["payload"]
            if event["source"] != SCORING_SOURCE:
                continue
            if event["event_type"] == "model.call.started":
                pending = payload
                asked[event["sequence_number"]] = payload.get("messages")
            elif event["event_type"] == "model.call.completed" and not payload.get("error"):
                messages = pending.get("messages") or asked.get(pending.get("same_messages_as", 0))
                self._keep(str(pending.get("model")), messages, payload)

    def _keep(self, model: str, messages: Any, payload: Mapping[str, Any]) -> None:
        replies = self.replies.setdefault(model, {}).setdefault(key_of(messages), [])
        replies.append(payload)
        replies.sort(key=lambda reply: reply.get("sample", 0))

    def endpoint(self, model: str) -> Endpoint | None:
        """Where a model answers as it did then; None when it was not asked at all."""
        return Recorded(model, self.replies[model]) if model in self.replies else None


class Recorded:
    """Answers what one model was asked before, once for each time that it was."""

    has_responses = False

    def __init__(self, model: str, replies: Mapping[bytes, list[Mapping[str, Any]]]) -> None:
        first = next(reply for listed in replies.values() for reply in listed)
        self.name = str(first.get("provider_account_id", ""))
        self.provider = str(first.get("provider_key", ""))
        self.model = model
        self.replies = replies

    def ask(self, request: ModelRequest) -> ModelReply:
        """The reply of then. Raises EndpointFailed when the model was asked something else."""
        replies = self.replies.get(key_of(list(request.messages)))
        if not replies:
            raise EndpointFailed(Trouble.NOT_ALLOWED, "the model was not asked this before, and is not asked now")
        reply = replies.pop(0)
        usage = reply.get("usage") or {}
        return ModelReply(
            text=str(reply.get("output_text", "")),
            model=str(reply.get("provider_model_id", self.model)),
            finish_reason=str(reply.get("finish_reason", "")),
            usage=Usage(usage.get("input_tokens"), usage.get("output_tokens")),
        )

    def respond(self, request: ModelRequest) -> ModelReply:
        """Judges are asked with `ask`. Raises EndpointFailed."""
        raise EndpointFailed(Trouble.NOT_ALLOWED, "recorded replies hold no calls of an endpoint's own agent")
