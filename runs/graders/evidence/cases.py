"""The case in scope as evidence: its payload, inputs, expectations and artifacts (challenge-pack b.3, d.2)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from packs.formats.task import EvidenceCase
from runs.graders.contract import Resolved
from runs.graders.values import is_number, loose_text, plain_json, to_text

MAX_HOPS = 8

# No list reaches further, and Python reads no number of thousands of digits.
_INDEX = re.compile(r"[+-]?[0-9]{1,18}")
_ARTIFACT_FIELDS = ("key", "kind", "path", "media_type")
_MISSING = object()


class CaseEvidence:
    """One case, read from its stored document; its assets are those in scope."""

    def __init__(self, case: EvidenceCase) -> None:
        stored = case.stored
        version = stored.get("schema_version")
        if is_number(version) and version != 0:
            self._payload: Any = stored.get("payload") or {}
            self._inputs = _by_key(stored.get("inputs"))
            self._expectations = _by_key(stored.get("expectations"))
        else:
            self._payload, self._inputs, self._expectations = stored, {}, {}
        self._artifacts: Mapping[str, Mapping[str, Any]] = case.assets

    def challenge_input(self) -> str:
        """The payload as loose text, else as JSON text."""
        text = loose_text(self._payload)
        return plain_json(self._payload) if text is None else text

    def resolve(self, reference: str) -> Resolved:
        """The value of a `case.` or `artifact.` reference. Raises TooDeep."""
        root, *steps = reference.split(".")
        if root == "artifact":
            return self._artifact(steps[0], steps[1:]) if _is_path(steps) else _malformed(reference)
        place, steps = steps[0], steps[1:]
        if place == "payload" and not any(not step.strip() for step in steps):
            return _walk(self._payload, steps)
        fields = {"inputs": self._inputs, "expectations": self._expectations}.get(place)
        if fields is None or not _is_path(steps):
            return _malformed(reference)
        if steps[0] not in fields:
            return Resolved(None, f"the case has no {place[:-1]} {steps[0]!r}")
        return self._field(fields[steps[0]], steps[1:])

    def _field(self, value: Mapping[str, Any], steps: Sequence[str]) -> Resolved:
        """An input or expectation: inline value, else source, else artifact key, else path."""
        for _ in range(MAX_HOPS + 1):
            if value.get("value") is not None:
                return _walk(value["value"], steps)
            source = _text(value, "source")
            if not source:
                return self._plain_field(value, steps)
            kind, _, key = source.partition(":")
            key = key.strip()
            if kind == "artifact":
                return self._artifact(key, steps)
            if kind != "input":
                return Resolved(None, f"{source!r} is neither input:KEY nor artifact:KEY", malformed=True)
            if key not in self._inputs:
                return Resolved(None, f"the case has no input {key!r}")
            value = self._inputs[key]
        return Resolved(None, f"sources refer to each other more than {MAX_HOPS} times", malformed=True)

    def _plain_field(self, value: Mapping[str, Any], steps: Sequence[str]) -> Resolved:
        if _text(value, "artifact_key"):
            return self._artifact(_text(value, "artifact_key"), steps)
        if _text(value, "path").strip():
            return _walk(value["path"], steps)
        return Resolved(None, "it has neither a value nor a source, an artifact or a path")

    def _artifact(self, key: str, steps: Sequence[str]) -> Resolved:
        asset = self._artifacts.get(key)
        if asset is None:
            return Resolved(None, f"no artifact {key!r} is in scope of the case")
        if not steps:
            return Resolved(_text(asset, "path"))
        return _walk({name: _text(asset, name) for name in _ARTIFACT_FIELDS}, steps)


def _by_key(fields: object) -> dict[str, Mapping[str, Any]]:
    listed = fields if isinstance(fields, list) else []
    return {_text(item, "key"): item for item in listed if isinstance(item, Mapping)}


def _is_path(steps: Sequence[str]) -> bool:
    return bool(steps) and all(step.strip() for step in steps)


def _malformed(reference: str) -> Resolved:
    return Resolved(None, f"{reference!r} is not an evidence reference", malformed=True)


def _walk(value: Any, steps: Sequence[str]) -> Resolved:
    """Follow object keys and list indices from 0."""
    for step in steps:
        value = _step(value, step)
        if value is _MISSING:
            return Resolved(None, f"there is nothing at {'.'.join(steps)!r}")
    return Resolved(to_text(value))


def _step(value: Any, step: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(step, _MISSING)
    if isinstance(value, (list, tuple)) and _INDEX.fullmatch(step) and 0 <= int(step) < len(value):
        return value[int(step)]
    return _MISSING


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""
