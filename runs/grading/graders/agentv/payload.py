"""What a code grader reads on its standard input, in both generations (agentv F.7)."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson

from runs.grading.graders.agentv.case import PINNED
from runs.grading.graders.agentv.messages import Message, messages_of, summary_of
from runs.grading.graders.agentv.scene import Scene
from runs.grading.graders.agentv.usage import cost_of, tokens_of

# What the assertion says to us; everything else goes to the program as its `config`.
OWN = frozenset(
    ("name", "type", "weight", "required", "min_score", "negate", "command", "script", "cwd", "target", "config",
     "preprocessors", "directory")
)  # fmt: skip
# A longer answer is not passed but named by a file, in the later generation.
MAX_TOLD = 50_000
_CAPITAL = re.compile("[A-Z]")


def payload_of(scene: Scene, config: Any = None, *, without_answer: bool = False) -> bytes:
    """The JSON object, keys in snake_case at every depth. `without_answer`, a file is to tell the answer.

    A `config` takes the place of the settings of the assertion.
    """
    own = {} if config is None else {"config": config}
    answer = _answer(scene, without_answer=without_answer)
    document = {**_case(scene), **own, **answer, **_used(scene), **_place(scene)}
    return orjson.dumps(snake_keys(document), default=str)


def is_long(scene: Scene) -> bool:
    """Whether the program of the later generation is given the answer as a file."""
    return scene.case.generation == PINNED and len(orjson.dumps(scene.answer)) > MAX_TOLD


def _case(scene: Scene) -> Message:
    case = scene.case
    return {
        "criteria": case.criteria,
        "input": list(case.input),
        "expected_output": list(case.expected_output),
        "input_files": list(case.input_files),
        "metadata": case.metadata,
        "config": config_of(scene),
    }


def config_of(scene: Scene) -> Message | None:
    """The settings that are the program's own: nested in the earlier generation, merged in the later one."""
    extras = {name: value for name, value in scene.assertion.items() if name not in OWN}
    stated = scene.assertion.get("config")
    if stated is not None:
        is_merged = scene.case.generation == PINNED and isinstance(stated, Mapping)
        extras |= stated if is_merged else {"config": stated}
    return extras or None


def _answer(scene: Scene, *, without_answer: bool) -> Message:
    messages, summary = messages_of(scene.recording), summary_of(scene.recording)
    if scene.case.generation != PINNED:
        return {"output": messages, "trace": summary}
    reported = None if without_answer else scene.answer
    return {
        "output": reported,
        "messages": messages,
        "trace": {**summary, "messages": messages},
        "trace_summary": summary,
    }


def _used(scene: Scene) -> Message:
    recording, tokens = scene.recording, tokens_of(scene.recording)
    reported = {
        "token_usage": None if tokens is None else tokens.as_dict(),
        "cost_usd": cost_of(recording),
        "duration_ms": recording.milliseconds,
        "start_time": _moment(recording.started_at),
        "end_time": _moment(recording.ended_at),
    }
    return {name: value for name, value in reported.items() if value is not None}


def _moment(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _place(scene: Scene) -> Message:
    reported = scene.recording.workspace
    return {"file_changes": reported.get("diff") or None, "workspace_path": reported.get("workspace_path") or None}


def snake_keys(value: Any) -> Any:
    """A value with the keys of its mappings in snake_case; keys that begin with a capital are names and stay."""
    if isinstance(value, Mapping):
        return {_snake(str(key)): snake_keys(item) for key, item in value.items()}
    return [snake_keys(item) for item in value] if isinstance(value, list | tuple) else value


def _snake(key: str) -> str:
    return key if key[:1].isupper() else _CAPITAL.sub(lambda found: f"_{found[0].lower()}", key)
