"""A test as the loader takes it: what a run works with, and what was left out on the way (agentv B, C, F, G)."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from packs.formats.agentv.assertions import settle
from packs.formats.agentv.context import Around
from packs.formats.agentv.converters import refusal
from packs.formats.agentv.filling import fill, fill_test, is_filled
from packs.formats.agentv.merging import metadata_of, workspace_of
from packs.formats.agentv.notes import LEFT_OUT, MISSING_FILE
from packs.formats.agentv.reading import is_nothing
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
        return None, [LEFT_OUT.at((), reason="it is not a mapping", advice="Write a mapping of fields.")]
    test = fill_test(around.filled(document))
    stated, expected = _stated_input(around, test), expected_messages(test.get("expected_output"))
    if not _has_id(test) or not any(map(is_message, stated)) or not _is_evaluated(test, expected):
        return None, [LEFT_OUT.at((), reason=NEEDED, advice=_advice(around, test))]
    findings: list[Finding] = []
    found = Loaded(test["id"], _input(around, test, stated, findings), document=test)
    found.expected = _messages(around, expected, ("expected_output",), findings)
    found.reference = _answer(found.expected)
    found.criteria = _criteria(test)
    is_fatal = refusal(around, around.suite) != ""
    for listed, path in _assertion_lists(around, test):
        settled = settle(around, listed, path)
        found.assertions += settled.assertions
        findings += settled.findings if path else []
        is_fatal |= settled.is_fatal
    for index, turn in enumerate(turns_of(test)):
        place = ("turns", index, "assertions")
        settled = settle(around, turn.get("assertions"), place, checklist=TURN_CHECKLIST, is_strict=False)
        found.turns.append({**turn, "assertions": settled.assertions})
        findings += settled.findings
    found.metadata = metadata_of(around.suite, test)
    found.workspace = workspace_of(around, test)
    return (None if is_fatal else found), findings


def _has_id(test: Document) -> bool:
    """Whether a test has an id for the loader: a blank one is one (agentv I.1 S16 refuses it)."""
    return isinstance(test.get("id"), str) and test["id"] != ""


def _criteria(test: Document) -> str:
    """What a good answer is, under either name."""
    named = (test.get(key) for key in ("criteria", "expected_outcome"))
    return next((text for text in named if isinstance(text, str) and text), "")


def _is_evaluated(test: Document, expected: list[Any]) -> bool:
    """Whether a test says how it is judged; a list of assertions does, be it empty (agentv B.1)."""
    given = any(name in test for name in ("assertions", "assert"))
    return bool(_criteria(test) or any(map(is_message, expected)) or given or listing(test.get("turns")))


def _advice(around: Around, test: Document) -> str:
    """What to do about a test that is left out."""
    if _files_of(around, test) is None:
        return "Add what is missing."
    if isinstance(test.get("input"), list):
        return "With a list of messages, name files in blocks of type file, not in input_files."
    return "Add what is missing; `input_files` must be a list of paths, beside an input that is a text."


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
        lists = [([{"type": "rubrics", "criteria": test["rubrics"]}], ("rubrics",)), *lists]
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


def _files_of(around: Around, test: Document) -> Any:
    """The `input_files` that hold for a test, whatever they are; None where there are none."""
    own = test.get("input_files")
    if own is not None or skips_defaults(test):
        return own
    shared = around.suite.get("input_files")
    return None if is_nothing(shared) else fill(shared, test)


def _stated_input(around: Around, test: Document) -> list[Any]:
    """The messages of a test itself as written; none where its input and its files do not go together."""
    stated, files = test.get("input"), _files_of(around, test)
    if files is None:
        return input_messages(stated)
    blocks = [{"type": "file", "value": path} for path in listing(files) if isinstance(path, str)]
    if not blocks or not isinstance(stated, str):
        return []
    return [{"role": "user", "content": [*blocks, {"type": "text", "value": stated}]}]


def _input(around: Around, test: Document, stated: list[Any], findings: list[Finding]) -> list[Document]:
    """The messages that an agent gets: those of the suite, then those of the test. What says nothing is left out."""
    stated_by_suite = around.suite.get("input")
    is_alone = skips_defaults(test) or is_nothing(stated_by_suite)
    shared = [] if is_alone else input_messages(fill(stated_by_suite, test))
    missing: list[Finding] = []
    reported = _messages(around, shared, ("input",), []) + _messages(around, stated, ("input",), missing)
    findings += missing if _files_of(around, test) is None else _at_entries(around, test, missing)
    return [message for message in reported if isinstance(message.get("content"), str | list | dict)]


def _at_entries(around: Around, test: Document, missing: list[Finding]) -> list[Finding]:
    """Findings about blocks made of `input_files`, at the entries of the test's own list.

    A path that the suite states as it is used is the suite's: see `missing_shared_files`.
    """
    stated = test.get("input_files")
    if stated is not None:
        entries = [index for index, path in enumerate(listing(stated)) if isinstance(path, str)]
        return [replace(found, path=("input_files", entries[int(found.path[-1])])) for found in missing]
    pairs = zip(listing(around.suite.get("input_files")), listing(_files_of(around, test)), strict=False)
    shared = [stated for stated, path in pairs if isinstance(path, str)]
    filled = [found for found in missing if is_filled(shared[int(found.path[-1])])]
    return [replace(found, path=("input",)) for found in filled]


def missing_shared_files(around: Around) -> Iterator[Finding]:
    """The findings about files that a suite puts before the input of its tests, and that are not there."""
    for index, path in enumerate(listing(around.suite.get("input_files"))):
        if isinstance(path, str) and not is_filled(path) and not _is_there(around, path):
            yield MISSING_FILE.at(("input_files", index), name=repr(path)[:120])


def input_messages(stated: Any) -> list[Any]:
    """An input in any of its forms as a list of messages (C.4)."""
    if isinstance(stated, str):
        return [{"role": "user", "content": stated}]
    if isinstance(stated, dict):
        return [stated if "role" in stated else {"role": "user", "content": stated}]
    return listing(stated)


def expected_messages(stated: Any) -> list[Any]:
    """An expected output in any of its forms as a list of messages (C.5)."""
    if isinstance(stated, str):
        return [{"role": "assistant", "content": stated}]
    if isinstance(stated, dict):
        return [stated if "role" in stated else {"role": "assistant", "content": stated}]
    if not isinstance(stated, list):
        return []
    if stated and isinstance(stated[0], dict) and "role" in stated[0]:
        return stated
    return [{"role": "assistant", "content": [item for item in stated if isinstance(item, str | dict)]}]


def _messages(around: Around, stated: list[Any], path: Path, findings: list[Finding]) -> list[Document]:
    """The messages that the loader keeps, with the blocks in them as it takes them."""
    found = []
    for index, message in enumerate(stated):
        if is_message(message):
            content = message.get("content")
            if isinstance(content, list):
                message = {**message, "content": _blocks(around, content, (*path, index), findings)}
            found.append(message)
    return found


def is_message(value: Any) -> bool:
    """Whether the loader keeps a message."""
    if not isinstance(value, dict) or value.get("role") not in ROLES:
        return False
    if listing(value.get("tool_calls")):
        return True
    content = value.get("content")
    if isinstance(content, list):
        return all(isinstance(item, str | dict) for item in content)
    return isinstance(content, str | dict)


def _blocks(around: Around, content: list[Any], path: Path, findings: list[Finding]) -> list[Document]:
    """The blocks of a message; texts become text blocks, blocks of missing files are dropped."""
    found = []
    for index, item in enumerate(content):
        if isinstance(item, str):
            found += [{"type": "text", "value": item}] if item else []
        elif not isinstance(item, dict):
            continue
        elif item.get("type") in ("file", "image") and not _is_there(around, item.get("value")):
            findings.append(MISSING_FILE.at((*path, "content", index), name=repr(item.get("value"))[:120]))
        else:
            found.append(item)
    return found


def _is_there(around: Around, value: Any) -> bool:
    """Whether a block names a file that can be read."""
    name = around.find(value) if isinstance(value, str) and value else None
    return name is not None and not around.is_folder(name)


def reference_answer(around: Around, stated: Any) -> str:
    """The reference answer that an expected output in any of its forms gives."""
    return _answer(_messages(around, expected_messages(stated), (), []))


def _answer(expected: list[Document]) -> str:
    """The reference answer: the last expected message as text, else as indented JSON (C.5)."""
    parts = [expected[-1].get(name) for name in ("content", "tool_calls")] if expected else []
    said = next((part for part in parts if isinstance(part, str | list | dict)), "")
    return said if isinstance(said, str) else orjson.dumps(said, option=orjson.OPT_INDENT_2).decode()
