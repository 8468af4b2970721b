"""The vocabulary of events and their envelope (challenge-pack h.1, h.2)."""

from collections.abc import Mapping
from typing import Any

from runs.replay.steps import whole_number

Event = dict[str, Any]

SCHEMA_VERSION = "2026-03-15"

# The files that an agent left.
KEPT = "workspace.captured"
# Files that graders run and that the agent changed, as the pack has them again.
RESTORED = "grader.verification.files_restored"
# What people said of a trial after it had ended.
REVIEWED = "grader.review.recorded"
# What a person said in place of a grader or a judge, or that it counts no more.
OVERRULED = "grader.verdict.overruled"

# What the engine itself tells; an agent may not claim it.
ENGINE_TYPES = frozenset(
    {
        "system.run.started",
        "system.run.completed",
        "system.run.failed",
        "system.output.finalized",
        "grader.verification.file_captured",
        "grader.verification.directory_listed",
        KEPT,
        RESTORED,
        "grader.verification.code_executed",
        "grader.evidence.supplied",
        "grader.opinion.recorded",
        REVIEWED,
        OVERRULED,
        "workspace.repository.placed",
        "workspace.repository.failed",
        "workspace.hook.completed",
        "workspace.hook.failed",
        "workspace.reset",
        "workspace.changed",
        "scoring.started",
        "scoring.metric.recorded",
        "scoring.completed",
        "scoring.failed",
        "turn.user.message",
        "turn.user.simulated",
        "turn.assistant.message",
        "turn.completed",
        "turn.awaiting_human",
        "turn.state.captured",
        "conversation.completed",
        "race.standings.injected",
    }
)
# What an agent may record about its own work.
AGENT_TYPES = frozenset(
    {
        "system.step.started",
        "system.step.completed",
        "model.call.started",
        "model.call.completed",
        "model.output.delta",
        "model.tool_calls.proposed",
        "tool.call.started",
        "tool.call.completed",
        "tool.call.failed",
        "sandbox.command.started",
        "sandbox.command.completed",
        "sandbox.command.failed",
        "sandbox.file.read",
        "sandbox.file.written",
        "sandbox.file.listed",
        "media.session.started",
        "media.frame.received",
        "speech.started",
        "speech.stopped",
        "transcript.partial",
        "transcript.final",
        "agent.audio.started",
        "agent.audio.completed",
        "barge_in.detected",
        "audio.buffer.cleared",
        "dtmf.received",
        "telephony.answered",
        "telephony.voicemail",
        "transfer.started",
        "transfer.bridged",
        "voice.metric.recorded",
    }
)
EVENT_TYPES = ENGINE_TYPES | AGENT_TYPES

# How a task is driven -> the source of its events.
SOURCES = {
    "native": "native_engine",
    "prompt_eval": "prompt_eval_engine",
    "responses": "responses_engine",
    "multi_turn": "multi_turn_engine",
}
VERIFICATION_SOURCE = "grader_verification"
EXTERNAL_SOURCE = "hosted_external"

SUMMARY_FIELDS = (
    "status",
    "step_index",
    "provider_key",
    "provider_model_id",
    "tool_name",
    "tool_category",
    "sandbox_action",
    "metric_key",
    "turn_index",
    "phase_id",
    "actor",
    "mismatch",
    "speaker",
    "channel",
    "external_run_id",
    "idempotency_key",
)
# Those of them that count steps and turns.
PLACES = ("step_index", "turn_index")


def summarise(payload: Mapping[str, Any], case_key: str) -> dict[str, Any]:
    """The index fields of an envelope: those members of the payload that are plain values, and the case.

    Places in the order of steps and turns are whole numbers.
    """
    found = {name: payload[name] for name in SUMMARY_FIELDS if isinstance(payload.get(name), str | int | float)}
    found |= {name: number for name in PLACES if (number := whole_number(payload.get(name))) is not None}
    return {**found, "case_key": case_key} if case_key else found
