"""Rules about the well-known inputs of a task (task-suite 2.5)."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.task_suite.layout import leaves_pack
from packs.formats.task_suite.suites import FAILURE_MODES
from packs.formats.values import is_whole, listing, mapping, whole_expected

ALSO_AVAILABLE = Rule(
    "task_suite.E212",
    "The tool {tool} is both available and forbidden.",
    hint="Remove it from one of the two lists.",
    rule="TS-212",
)
NOT_A_VARIABLE = Rule(
    "task_suite.E213",
    "{name} is not the name of an environment variable.",
    hint="Give the variable's name only, such as API_KEY; the value is made up for each trial.",
    rule="TS-213",
)
BAD_INPUT = Rule(
    "task_suite.E214", "{name} must be {expected}.", hint="Give {expected} here, or use another key.", rule="TS-214"
)
HALF_FLAKY = Rule(
    "task_suite.W215",
    "{name} stands here without {other}.",
    hint="Name the tool that fails and how it fails, or neither.",
    rule="TS-215",
)
NO_INCIDENT = Rule(
    "task_suite.W216",
    "The replay does not say which incident it comes from.",
    hint="Put the id of the run, ticket or trace into incident_trace_ref.",
    rule="TS-216",
)
BAD_PATH = Rule(
    "task_suite.E308",
    "The path {name} is absolute, has a backslash or leads out of the pack.",
    hint="Write the path from the task's own file, such as ../_shared/rubrics/output_quality.md.",
    rule="TS-308",
)

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LISTS = (
    "constraints",
    "tools_available",
    "forbidden_tools",
    "secrets_in_env",
    "expected_behavior",
    "fallback_tools",
)
_TEXTS = ("repo_path", "issue_statement", "user_message", "incident_trace_ref", "flaky_tool")


def check_inputs(document: Document) -> Iterator[Finding]:
    """TS-212 to TS-216, and TS-308 for the path of the repository."""
    inputs = mapping(document.get("inputs"))
    yield from _check_types(inputs)
    yield from _check_lists(inputs)
    for name, other in (("flaky_tool", "flaky_pattern"), ("flaky_pattern", "flaky_tool")):
        if name in inputs and other not in inputs:
            yield HALF_FLAKY.at(("inputs", name), name=name, other=other)
    if document.get("suite") == "failure_replays" and "inputs" in document and "incident_trace_ref" not in inputs:
        yield NO_INCIDENT.at(("inputs", "incident_trace_ref"))
    path, suite = inputs.get("repo_path"), document.get("suite")
    if isinstance(path, str) and leaves_pack(suite if isinstance(suite, str) else "", path):
        yield BAD_PATH.at(("inputs", "repo_path"), name=repr(path[:120]))


def _check_lists(inputs: Mapping[str, Any]) -> Iterator[Finding]:
    available = [tool for tool in listing(inputs.get("tools_available")) if isinstance(tool, str)]
    for index, tool in enumerate(listing(inputs.get("forbidden_tools"))):
        if isinstance(tool, str) and tool in available:
            yield ALSO_AVAILABLE.at(("inputs", "forbidden_tools", index), tool=repr(tool[:80]))
    for index, name in enumerate(listing(inputs.get("secrets_in_env"))):
        if isinstance(name, str) and not _VARIABLE.fullmatch(name):
            # The name is not repeated: what stands here by mistake is often the secret itself.
            yield NOT_A_VARIABLE.at(("inputs", "secrets_in_env", index), name="This")


def _check_types(inputs: Mapping[str, Any]) -> Iterator[Finding]:
    for name, value in inputs.items():
        check = _KINDS.get(name)
        if check is not None:
            yield from check(("inputs", name), value)


def _bad(path: Path, expected: str) -> Finding:
    return BAD_INPUT.at(path, name=str(path[-1]), expected=expected)


def _text(path: Path, value: Any) -> Iterator[Finding]:
    if not isinstance(value, str):
        yield _bad(path, "text")


def _texts(path: Path, value: Any) -> Iterator[Finding]:
    if not isinstance(value, list):
        yield _bad(path, "a list of texts")
        return
    for index, item in enumerate(value):
        if not isinstance(item, str):
            yield BAD_INPUT.at((*path, index), name=f"an entry of {path[-1]}", expected="text")


def _named_texts(path: Path, value: Any) -> Iterator[Finding]:
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        yield _bad(path, "a mapping of names to texts")


def _conversation(path: Path, value: Any) -> Iterator[Finding]:
    if not isinstance(value, dict):
        yield _bad(path, "a mapping with user_message")
    elif not isinstance(value.get("user_message", ""), str):
        yield _bad((*path, "user_message"), "text")


def _pattern(path: Path, value: Any) -> Iterator[Finding]:
    if not isinstance(value, dict):
        yield _bad(path, "a mapping with first_n_failures and failure_mode")
        return
    failures = value.get("first_n_failures")
    if not is_whole(failures):
        yield _bad((*path, "first_n_failures"), whole_expected(failures))
    if value.get("failure_mode", FAILURE_MODES[0]) not in FAILURE_MODES:
        yield _bad((*path, "failure_mode"), f"one of {', '.join(FAILURE_MODES)}")


_KINDS: Mapping[str, Callable[[Path, Any], Iterator[Finding]]] = {
    **dict.fromkeys(_TEXTS, _text),
    **dict.fromkeys(_LISTS, _texts),
    "policy": _named_texts,
    "conversation_context": _conversation,
    "flaky_pattern": _pattern,
}
