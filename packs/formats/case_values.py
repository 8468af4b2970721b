"""What references to a case lead to: its payload, inputs, expectations and artifacts (challenge-pack b.3, d.2)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from packs.formats.values import exact_text, is_number

MAX_HOPS = 8

# No list reaches further, and Python reads no number of thousands of digits.
_INDEX = re.compile(r"[+-]?[0-9]{1,18}")
_ARTIFACT_FIELDS = ("key", "kind", "path", "media_type")
_MISSING = object()


@dataclass(frozen=True, slots=True)
class EvidenceCase:
    """A case in scope of scoring: its stored document and the assets that it may refer to, by key."""

    stored: dict[str, Any]
    assets: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """The JSON value that a reference leads to, or the reason why it leads to none.

    `malformed` when the reference or a source on its way breaks the grammar, which is the pack author's mistake;
    `is_blank` when it leads to an input or expectation that states nothing.
    """

    value: Any = None
    reason: str = ""
    malformed: bool = False
    is_blank: bool = False

    @property
    def is_available(self) -> bool:
        return not self.reason


class CaseValues:
    """One case, read from its stored document; its assets are those in scope."""

    def __init__(self, case: EvidenceCase) -> None:
        stored = case.stored
        version = stored.get("schema_version")
        if is_number(version) and version != 0:
            self.payload: Any = stored.get("payload") or {}
            self._inputs = _by_key(stored.get("inputs"))
            self._expectations = _by_key(stored.get("expectations"))
        else:
            self.payload, self._inputs, self._expectations = stored, {}, {}
        self._artifacts: Mapping[str, Mapping[str, Any]] = case.assets

    def find(self, reference: str) -> Found:
        """Follow `challenge_input`, or a `case.` or `artifact.` reference."""
        if reference == "challenge_input":
            return Found(self.payload)
        root, *steps = reference.split(".")
        if root == "artifact" and _is_path(steps):
            return self._artifact(steps[0], steps[1:])
        if root == "case" and steps[:1] == ["payload"] and all(step.strip() for step in steps):
            return _walk(self.payload, steps[1:])
        fields = {"inputs": self._inputs, "expectations": self._expectations}.get(steps[0] if steps else "")
        if root != "case" or fields is None or not _is_path(steps[1:]):
            return Found(reason=f"{reference!r} is not an evidence reference", malformed=True)
        return self._part(fields, *steps)

    def _part(self, fields: Mapping[str, Mapping[str, Any]], place: str, key: str, *steps: str) -> Found:
        if key not in fields:
            return Found(reason=f"the case has no {place.removesuffix('s')} {key!r}")
        return self._field(fields[key], steps)

    def _field(self, value: Mapping[str, Any], steps: Sequence[str]) -> Found:
        """An input or expectation: inline value, else source, else artifact key, else path."""
        for _ in range(MAX_HOPS + 1):
            if value.get("value") is not None:
                return _walk(value["value"], steps)
            source = exact_text(value, "source")
            if not source:
                return self._plain_field(value, steps)
            kind, _, key = source.partition(":")
            key = key.strip()
            if kind == "artifact":
                return self._artifact(key, steps)
            if kind != "input":
                return Found(reason=f"{source!r} is neither input:KEY nor artifact:KEY", malformed=True)
            if key not in self._inputs:
                return Found(reason=f"the case has no input {key!r}")
            value = self._inputs[key]
        return Found(reason=f"sources refer to each other more than {MAX_HOPS} times", malformed=True)

    def _plain_field(self, value: Mapping[str, Any], steps: Sequence[str]) -> Found:
        if exact_text(value, "artifact_key"):
            return self._artifact(exact_text(value, "artifact_key"), steps)
        if exact_text(value, "path").strip():
            return _walk(value["path"], steps)
        return Found(reason="it has neither a value nor a source, an artifact or a path", is_blank=True)

    def _artifact(self, key: str, steps: Sequence[str]) -> Found:
        asset = self._artifacts.get(key)
        if asset is None:
            return Found(reason=f"no artifact {key!r} is in scope of the case")
        if not steps:
            return Found(exact_text(asset, "path"))
        return _walk({name: exact_text(asset, name) for name in _ARTIFACT_FIELDS}, steps)


def _by_key(fields: object) -> dict[str, Mapping[str, Any]]:
    listed = fields if isinstance(fields, list) else []
    return {exact_text(item, "key"): item for item in listed if isinstance(item, Mapping)}


def _is_path(steps: Sequence[str]) -> bool:
    return bool(steps) and all(step.strip() for step in steps)


def _walk(value: Any, steps: Sequence[str]) -> Found:
    """Follow object keys and list indices from 0."""
    for step in steps:
        value = _step(value, step)
        if value is _MISSING:
            return Found(reason=f"there is nothing at {'.'.join(steps)!r}")
    return Found(value)


def _step(value: Any, step: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(step, _MISSING)
    if isinstance(value, (list, tuple)) and _INDEX.fullmatch(step) and 0 <= int(step) < len(value):
        return value[int(step)]
    return _MISSING
