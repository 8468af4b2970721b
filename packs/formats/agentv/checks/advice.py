"""Advice (agentv I.6, J): what works, but is hardly meant, and what authors of good suites do."""

import re
from collections.abc import Iterator
from typing import Any

from packs.formats.adapter import Node, PackIndex
from packs.formats.agentv.context import Around
from packs.formats.agentv.filling import names_in
from packs.formats.agentv.generations import repositories_of
from packs.formats.agentv.layout import SCRIPTS, inside
from packs.formats.agentv.loaded import skips_defaults, suite_list
from packs.formats.agentv.merging import read_workspace, workspace_of
from packs.formats.agentv.places import repository_of
from packs.formats.agentv.reading import is_text
from packs.formats.agentv.schema.workspace import RESETS
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import listing, mapping

METADATA_ONLY = Rule(
    "agentv.N501",
    "Only the metadata name the source commit; nothing checks it out.",
    hint="Add the repository to `workspace.repos`, and keep the metadata as a record of it.",
    rule="A2",
)
OTHER_COMMIT = Rule(
    "agentv.W502",
    "The metadata names another commit than the one that the workspace checks out.",
    hint="Make metadata.source_commit say what `workspace.repos` says.",
    rule="A3",
)
CAMEL = Rule("agentv.N503", "The key {name} of the metadata is not in snake_case.", hint="Write {better}.", rule="A4")
COMMANDS = Rule(
    "agentv.N504",
    "The expected output reads like commands.",
    hint="Let a code-grader run them; the expected output is a passive answer.",
    rule="A5",
)
SPLIT = Rule(
    "agentv.N505",
    "{reason}: case folders would keep what belongs together in one place.",
    hint="Move the tests to folders; one action does it, and another moves them back.",
    rule="A6",
)
RESET_FIRST = Rule(
    "agentv.W507",
    "The workspace is reset before the graders look at it, so a code grader does not see the agent's work.",
    hint="Use `isolation: per_test`, or leave `after_each.reset` out.",
)
IGNORED_TARGET = Rule(
    "agentv.W508",
    "`execution.target` of a test is ignored.",
    hint="Write `targets: [name]` to choose among the suite's.",
)
NO_VALUE = Rule(
    "agentv.W509",
    "The pack gives no value for ${{{{ {name} }}}}, so it becomes empty text in a run here.",
    hint="Write it into a file .env of the pack, or write the value itself.",
)
NO_GRADER_FILE = Rule("agentv.W510", "There is no file {name} for this command.", hint="Add it, or fix the path.")
_SNAKE = re.compile(r"[a-z0-9_.$-]*")
_COMMAND_LINE = re.compile(r"^\s*(?:\$ |npm |pytest\b|python |bash |make |go test\b|cargo )", re.M)
LONG_TEXT, MANY_TESTS = 4000, 40
_ARTIFACTS = (".patch", ".diff", ".png", ".json", ".xlsx", ".pdf")


def advise_test(around: Around, document: Document) -> Iterator[Finding]:
    """The advice about one test; paths start at its document."""
    yield from _advise_metadata(around, document)
    if _COMMAND_LINE.search(str(document.get("expected_output") or "")[:2000]):
        yield COMMANDS.at(("expected_output",))
    if "target" in mapping(document.get("execution")):
        yield IGNORED_TARGET.at(("execution", "target"))
    for name in sorted(names_in(document) - set(around.values())):
        yield NO_VALUE.at((), name=name)
    yield from _advise_programs(around, document.get("assertions"), ("assertions",))
    if _has_program(document.get("assertions")) and _resets_first(workspace_of(around, document)):
        yield RESET_FIRST.at(("assertions",))


def _has_program(assertions: Any) -> bool:
    return any(mapping(item).get("type") == "code-grader" for item in listing(assertions))


def _resets_first(workspace: Document | None) -> bool:
    """Whether a shared workspace is reset after each test, and so before its graders look (agentv D.4)."""
    after = mapping(mapping(mapping(workspace).get("hooks")).get("after_each"))
    is_shared = mapping(workspace).get("isolation") != "per_test"
    return is_shared and after.get("reset") in RESETS[1:] and bool(repositories_of(workspace))


def _advise_programs(around: Around, assertions: Any, path: Path) -> Iterator[Finding]:
    for index, item in enumerate(listing(assertions)):
        command = listing(mapping(item).get("command")) if mapping(item).get("type") == "code-grader" else []
        folder = mapping(item).get("cwd")
        directory = (around.find(folder) if is_text(folder) else around.folder) or around.folder
        for position, part in enumerate(command):
            if isinstance(part, str) and (part.startswith(("./", "../")) or part.endswith(SCRIPTS)):
                name = inside(directory, part)
                if name is None or not around.exists(name):
                    yield NO_GRADER_FILE.at((*path, index, "command", position), name=repr(part)[:160])


def _advise_metadata(around: Around, document: Document) -> Iterator[Finding]:
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return
    for key in metadata:
        if not _SNAKE.fullmatch(key):
            yield CAMEL.at(("metadata", key), name=repr(key)[:80], better=snake(key)[:80])
    stated = metadata.get("source_commit")
    if not is_text(stated):
        return
    spaces = [read_workspace(around, each) for each in (around.suite.get("workspace"), document.get("workspace"))]
    found = [repository_of(each) for space in spaces for each in repositories_of(space)]
    refs = [each.ref for each in found if each is not None]
    if not refs:
        yield METADATA_ONLY.at(("metadata", "source_commit"))
    elif not any(ref.startswith(stated) or stated.startswith(ref) for ref in refs):
        yield OTHER_COMMIT.at(("metadata", "source_commit"))


def snake(key: str) -> str:
    """A key in snake_case."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key)
    return re.sub(r"[^A-Za-z0-9]+", "_", spaced).strip("_").lower()


def advise_suite(index: PackIndex, around: Around, node: Node) -> Iterator[Finding]:
    """The advice about one suite; paths start at its document."""
    document = around.suite
    stated, path = suite_list(document)
    if _has_program(stated) and _resets_first(read_workspace(around, document.get("workspace"))):
        yield RESET_FIRST.at(("workspace",))
    for name in sorted(names_in(node.document) - set(around.values())):
        yield NO_VALUE.at((), name=name)
    yield from _advise_programs(around, stated, path)
    count = index.case_count(node.position)
    if count > MANY_TESTS and not around.is_external:
        yield SPLIT.at((), reason=f"The suite holds {count} tests itself")


def reasons_to_split(document: Document) -> Iterator[str]:
    """Why a test is better off in a folder of its own (agentv J)."""
    texts = [document.get("input"), document.get("expected_output"), document.get("criteria")]
    if any(isinstance(text, str) and len(text) > LONG_TEXT for text in texts):
        yield f"a text of more than {LONG_TEXT} characters"
    named = [value for value in mapping(document.get("metadata")).values() if isinstance(value, str)]
    if any(value.endswith(_ARTIFACTS) and "/" in value for value in named):
        yield "files that its metadata name"
    if document.get("workspace") is not None and not skips_defaults(document):
        yield "a workspace of its own"
