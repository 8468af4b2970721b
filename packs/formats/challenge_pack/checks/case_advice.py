"""Advice about one case: what the format accepts, but what probably is not meant (challenge-pack b.3, c.1 to c.6)."""

from collections.abc import Iterator
from typing import Any

from packs.formats.challenge_pack.stored import is_payload_only
from packs.formats.challenge_pack.values import entries, given, mapping, one_of, text, texts
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import exact_text

# The triggers that decide whether a phase runs; every other trigger just lets it run (challenge-pack c.6).
EFFECTIVE_TRIGGERS = ("", "always", "never", "on_assistant_mismatch")
TURN_CHECKS = ("exact_match", "contains")
CONDITIONS_WITH_TEXT = ("assistant_emitted:", "user_token:")
# Between these a number is written plainly when it becomes a text (challenge-pack d.2, resolution 5).
SMALLEST_PLAIN, LARGEST_PLAIN = 0.0001, 1_000_000
CONTENT_FIELDS = ("artifact_key", "source", "path")

PAYLOAD_LOOKS_STORED = Rule(
    "challenge_pack.W301",
    "The payload has a number `schema_version`, so the stored case will be read as if it had no payload of its own.",
    "Rename the key, or add an input, which makes the case a structured one.",
)
INPUT_EMPTY = Rule(
    "challenge_pack.W302",
    "The input {key!r} has no content: checks that use it have nothing to look at.",
    "Add a value, an artifact_key or a path.",
)
EXPECTATION_EMPTY = Rule(
    "challenge_pack.W303",
    "The expectation {key!r} has no content: checks that use it have nothing to compare with.",
    "Add a value, an artifact_key or a source.",
)
# Publishing refuses a version that does not say what its cases ask and expect.
REFUSED_ON_PUBLISHING = frozenset({INPUT_EMPTY.code, EXPECTATION_EMPTY.code})
WORKSPACE_FILE_UNUSABLE = Rule(
    "challenge_pack.W304",
    "This is not a workspace file: {reason}.",
    "Workspace files are a list of mappings with `path` and `content`, both texts.",
)
ITEM_KEY_IGNORED = Rule(
    "challenge_pack.N301",
    "The case is known as {case_key!r}; its item_key {item_key!r} only stays in the manifest.",
    "Remove `item_key` unless something outside still needs it.",
)
NUMBER_IN_EXPONENT_FORM = Rule(
    "challenge_pack.N302",
    "When it is compared as text, the number {value} is written in exponent form.",
    "Put it in quotes where the answer is compared as text.",
)
TRIGGER_WITHOUT_EFFECT = Rule(
    "challenge_pack.N951",
    "The trigger {trigger} is accepted but not acted on: the phase always runs.",
    "Use on_assistant_mismatch or never where the phase must depend on something.",
)
TURN_CHECK_NEVER_HOLDS = Rule(
    "challenge_pack.W951",
    "The expected reply {key!r} never matches: {reason}.",
    "Use the kind exact_match or contains, with an inline value.",
)
CONDITION_NEVER_HOLDS = Rule(
    "challenge_pack.W952",
    "The condition {condition!r} never holds, so the phase runs until a turn limit.",
    "Use max_turns, assistant_emitted:<text> or user_token:<text>.",
)
TIMEOUT_ACTION_UNKNOWN = Rule(
    "challenge_pack.W953",
    "{action!r} is not a known action, so a timeout ends the conversation.",
    "Write fail or stop.",
)


def advise_on_case(case: Document) -> Iterator[Finding]:
    """All advice about a case that needs nothing but the case."""
    payload = mapping(case, "payload")
    if "schema_version" in payload and _is_number(payload["schema_version"]) and is_payload_only(case):
        yield PAYLOAD_LOOKS_STORED.at(("payload", "schema_version"))
    if "workspace_files" in payload:
        yield from _advise_on_files(payload["workspace_files"], ("payload", "workspace_files"))
    case_key, item_key = text(case, "case_key"), text(case, "item_key")
    if case_key and item_key and case_key != item_key:
        yield ITEM_KEY_IGNORED.at(("item_key",), case_key=case_key, item_key=item_key)
    yield from _advise_on_content(case)


def _advise_on_content(case: Document) -> Iterator[Finding]:
    for position, item in entries(case, "inputs"):
        if not _has_content(item):
            yield INPUT_EMPTY.at(("inputs", position), key=text(item, "key"))
        elif text(item, "kind") == "workspace" and given(item, "value"):
            yield from _advise_on_files(item["value"], ("inputs", position, "value"))
    for position, item in entries(case, "expectations"):
        if not _has_content(item):
            yield EXPECTATION_EMPTY.at(("expectations", position), key=text(item, "key"))
        elif _is_number(item.get("value")) and not SMALLEST_PLAIN <= abs(item["value"]) < LARGEST_PLAIN:
            yield NUMBER_IN_EXPONENT_FORM.at(("expectations", position, "value"), value=item["value"])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value != 0


def _has_content(item: Document) -> bool:
    return item.get("value") is not None or any(text(item, field) for field in CONTENT_FIELDS)


def _advise_on_files(files: Any, path: Path) -> Iterator[Finding]:
    if not isinstance(files, list):
        yield WORKSPACE_FILE_UNUSABLE.at(path, reason="it is not a list")
        return
    for position, file in enumerate(files):
        if not isinstance(file, dict):
            yield WORKSPACE_FILE_UNUSABLE.at((*path, position), reason="it is not a mapping")
        elif not text(file, "path"):
            yield WORKSPACE_FILE_UNUSABLE.at((*path, position), reason="it has no path")
        elif not isinstance(file.get("content", ""), str):
            yield WORKSPACE_FILE_UNUSABLE.at((*path, position), reason="its content is not text")


def advise_on_simulator(case: Document) -> Iterator[Finding]:
    """Advice about the simulated user of a case."""
    for position, phase in entries(mapping(case, "user_simulator"), "phases"):
        path: Path = ("user_simulator", "phases", position)
        trigger, actor = text(phase, "trigger"), text(phase, "actor")
        if trigger not in EFFECTIVE_TRIGGERS:
            yield TRIGGER_WITHOUT_EFFECT.at((*path, "trigger"), trigger=trigger)
        if actor == "scripted":
            yield from _advise_on_turns(phase, path)
        if actor == "llm":
            for place, condition in texts(phase, "until"):
                if not _can_hold(condition.strip()):
                    yield CONDITION_NEVER_HOLDS.at((*path, "until", place), condition=condition)
        action = text(phase, "on_timeout")
        if actor == "human" and action not in ("", "fail", "stop"):
            yield TIMEOUT_ACTION_UNKNOWN.at((*path, "on_timeout"), action=action)


def _can_hold(condition: str) -> bool:
    # An empty condition is an error of its own.
    return condition in ("", "max_turns") or condition.startswith(CONDITIONS_WITH_TEXT)


def _advise_on_turns(phase: Document, path: Path) -> Iterator[Finding]:
    for position, turn in entries(phase, "turns"):
        for place, expected in entries(turn, "expects"):
            reason = ""
            if exact_text(expected, "kind").strip() not in TURN_CHECKS:
                reason = f"its kind is none of {one_of(TURN_CHECKS)}"
            elif not given(expected, "value"):
                reason = "it has no inline value"
            if reason:
                here = (*path, "turns", position, "expects", place)
                yield TURN_CHECK_NEVER_HOLDS.at(here, key=text(expected, "key"), reason=reason)
