"""A test as the loader takes it: what a run works with, and what was left out on the way (agentv B, C, F, G)."""

from dataclasses import dataclass, field
from typing import Any

import orjson

from packs.formats.agentv.assertions import settle
from packs.formats.agentv.context import Around
from packs.formats.agentv.filling import fill, fill_test
from packs.formats.agentv.merging import metadata_of, workspace_of
from packs.formats.agentv.notes import LEFT_OUT, MISSING_FILE
from packs.formats.agentv.reading import is_text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path
from packs.formats.values import listing, mapping

TURN_CHECKLIST = ("turn-rubrics", "criterion", False)
ROLES = ("system", "user", "assistant", "tool")
NEEDED = "id, input and one of criteria, expected_output, assertions or turns are needed"


@dataclass(slots=True)
class Loaded:
    """A test that runs. Messages are mappings of role and content; `reference` is the gold answer as text."""

    id: str
    input: list[Document] = field(default_factory=list)
    expected: list[Document] = field(default_factory=list)
    reference: str = ""
    criteria: str = ""
    metadata: Document | None = None
    workspace: Document | None = None
    assertions: list[Document] = field(default_factory=list)
    turns: list[Document] = field(default_factory=list)
    document: Document = field(default_factory=dict)


def load_test(around: Around, document: Document) -> tuple[Loaded | None, list[Finding]]:
    """A test ready to run, or None where the loader leaves it out; findings say what is left out, and why."""
    if "$entry" in document:
        return None, [LEFT_OUT.at((), reason="it is no mapping", advice="Write a mapping of fields.")]
    test = fill_test(around.filled(document))
    findings: list[Finding] = []
    messages = _input(around, test, findings)
    found = Loaded(str(test.get("id", "")), messages, document=test)
    found.expected = _messages(around, expected_messages(test.get("expected_output")), ("expected_output",), findings)
    found.reference = _answer(found.expected)
    found.criteria = next((test[key] for key in ("criteria", "expected_outcome") if is_text(test.get(key))), "")
    if not is_text(test.get("id")) or not messages or not _is_evaluated(test, found):
        advice = "Add what is missing."
        if not messages and _files_of(around, test) and isinstance(test.get("input"), list):
            advice = "With a list of messages, name files in blocks of type file, not in input_files."
        return None, [LEFT_OUT.at((), reason=NEEDED, advice=advice)]
    is_fatal = False
    for stated, path in _assertion_lists(around, test):
        settled = settle(around, stated, path)
        found.assertions += settled.assertions
        findings += settled.findings if path else []
        is_fatal |= settled.is_fatal
    for index, turn in enumerate(turns_of(test)):
        settled = settle(around, turn.get("assertions"), ("turns", index, "assertions"), checklist=TURN_CHECKLIST)
        found.turns.append({**turn, "assertions": settled.assertions})
        findings += settled.findings
        is_fatal |= settled.is_fatal
    found.metadata = metadata_of(around.suite, test)
    found.workspace = workspace_of(around, test)
    return (None if is_fatal else found), findings


def _is_evaluated(test: Document, found: Loaded) -> bool:
    given = any(name in test for name in ("assertions", "assert", "turns", "rubrics"))
    return bool(found.criteria or found.expected or given or _own_lists(test))


def _own_lists(test: Document) -> list[tuple[Any, Path]]:
    """The lists of assertions of a test itself: the usual one, else those under older names."""
    execution = mapping(test.get("execution"))
    places: list[tuple[Any, Path]] = [(test.get(name), (name,)) for name in ("assertions", "assert", "evaluators")]
    places += [(execution.get(name), ("execution", name)) for name in ("assertions", "evaluators")]
    return [(value, path) for value, path in places if value is not None][:1]


def _assertion_lists(around: Around, test: Document) -> list[tuple[Any, Path]]:
    """The lists whose assertions apply, in order: the test's, then the suite's unless it declines them (F.3)."""
    lists = _own_lists(test)
    if isinstance(test.get("rubrics"), list):
        lists = [*lists, ([{"type": "rubrics", "criteria": test["rubrics"]}], ("rubrics",))]
    if not skips_defaults(test):
        lists += [(value, ()) for value, _ in _own_lists(around.suite)]
    return lists


def suite_list(suite: Document) -> tuple[Any, Path]:
    """The suite's own list of assertions and where it stands; None where there is none."""
    return next(iter(_own_lists(suite)), (None, ("assertions",)))


def turns_of(test: Document) -> list[Document]:
    """The turns that are played: those of a conversation that say something."""
    if test.get("mode") != "conversation":
        return []
    return [turn for turn in listing(test.get("turns")) if isinstance(turn, dict) and turn.get("input")]


def skips_defaults(test: Document) -> bool:
    """Whether a test declines the input, files and assertions of its suite."""
    return mapping(test.get("execution")).get("skip_defaults") is True


def _files_of(around: Around, test: Document) -> list[Any]:
    own = test.get("input_files")
    if isinstance(own, list):
        return own
    return [] if skips_defaults(test) else listing(fill(around.suite.get("input_files"), test))


def _input(around: Around, test: Document, findings: list[Finding]) -> list[Document]:
    """The messages of a test, those of its suite first; none where the test has none of its own."""
    stated, files = test.get("input"), _files_of(around, test)
    if files and isinstance(stated, str):
        blocks = [{"type": "file", "value": path} for path in files]
        stated = [{"role": "user", "content": [*blocks, {"type": "text", "value": stated}]}]
    elif files and isinstance(stated, list):
        return []
    own = _messages(around, input_messages(stated), ("input",), findings)
    if not own or skips_defaults(test):
        return own
    shared = input_messages(fill(around.suite.get("input"), test))
    return _messages(around, shared, ("input",), []) + own


def input_messages(stated: Any) -> list[Any]:
    """An input in any of its forms as a list of messages (C.4)."""
    if isinstance(stated, str):
        return [{"role": "user", "content": stated}] if stated.strip() else []
    if isinstance(stated, dict):
        return [stated if "role" in stated else {"role": "user", "content": stated}]
    return listing(stated)


def expected_messages(stated: Any) -> list[Any]:
    """An expected output in any of its forms as a list of messages (C.5)."""
    if isinstance(stated, str):
        return [{"role": "assistant", "content": stated}]
    if isinstance(stated, dict):
        return [stated if "role" in stated else {"role": "assistant", "content": stated}]
    if isinstance(stated, list) and stated:
        is_messages = isinstance(stated[0], dict) and "role" in stated[0]
        return stated if is_messages else [{"role": "assistant", "content": stated}]
    return []


def _messages(around: Around, stated: list[Any], path: Path, findings: list[Finding]) -> list[Document]:
    found = []
    for index, message in enumerate(stated):
        if is_message(message):
            content = message.get("content")
            if isinstance(content, list) and message["role"] != "assistant" or _has_blocks(content):
                message = {**message, "content": _blocks(around, listing(content), (*path, index), findings)}
            found.append(message)
    return found


def _has_blocks(content: Any) -> bool:
    return isinstance(content, list) and any(isinstance(item, dict) and is_text(item.get("type")) for item in content)


def is_message(value: Any) -> bool:
    """Whether the loader keeps a message."""
    if not isinstance(value, dict) or value.get("role") not in ROLES:
        return False
    content = value.get("content")
    if isinstance(content, list):
        return all(isinstance(item, str | dict) for item in content)
    return isinstance(content, str | dict) or (content is None and isinstance(value.get("tool_calls"), list))


def _blocks(around: Around, content: list[Any], path: Path, findings: list[Finding]) -> list[Document]:
    """The blocks of a message; texts become text blocks, blocks of missing files are dropped."""
    found = []
    for index, item in enumerate(content):
        if isinstance(item, str):
            found.append({"type": "text", "value": item})
        elif item.get("type") in ("file", "image") and around.find(str(item.get("value", ""))) is None:
            findings.append(MISSING_FILE.at((*path, "content", index), name=repr(item.get("value"))[:120]))
        else:
            found.append(item)
    return found


def reference_answer(around: Around, stated: Any) -> str:
    """The reference answer that an expected output in any of its forms gives."""
    return _answer(_messages(around, expected_messages(stated), (), []))


def _answer(expected: list[Document]) -> str:
    """The reference answer: the last expected message as text, else as indented JSON (C.5)."""
    if not expected:
        return ""
    content = expected[-1].get("content", expected[-1].get("tool_calls"))
    return content if isinstance(content, str) else orjson.dumps(content, option=orjson.OPT_INDENT_2).decode()
