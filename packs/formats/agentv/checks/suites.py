"""One suite (agentv A): its own fields, where its tests are, and its workspace and assertions."""

import re
from collections.abc import Iterator
from itertools import chain

from packs.formats.adapter import Node, PackIndex
from packs.formats.agentv.assertions import settle
from packs.formats.agentv.checks.advice import advise_suite
from packs.formats.agentv.checks.assertions import check_assertions
from packs.formats.agentv.checks.converters import check_converters_of_suite
from packs.formats.agentv.checks.files import REPEATED
from packs.formats.agentv.checks.messages import FILE_REFERENCES, check_messages
from packs.formats.agentv.checks.outside import reported_as_warnings
from packs.formats.agentv.checks.structure import refused
from packs.formats.agentv.checks.targets import check_hooks_of_targets, check_judges
from packs.formats.agentv.checks.workspaces import check_workspace
from packs.formats.agentv.context import Around
from packs.formats.agentv.layout import inside, is_list_name, is_suite_name
from packs.formats.agentv.loaded import missing_shared_files, suite_list
from packs.formats.agentv.notes import EMPTY, NO_FILE, NO_TESTS, OLD_BUDGET
from packs.formats.agentv.rules import NO_TESTS_KEY, OLD_SUITE_KEY
from packs.formats.agentv.schema.suite import NAME, OLD_KEYS
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Rule
from packs.formats.identity import check_key
from packs.formats.paths import refused_name
from packs.formats.values import listing, mapping

UNRECOGNISED = Rule(
    "agentv.W103",
    "AgentV's checks skip a file named {name}.",
    hint="Add `$schema: agentv-eval-v2` as the first line, or name the file so that it ends in .eval.yaml.",
    rule="S03",
)
BAD_NAME = Rule(
    "agentv.W107",
    "The name {name} has characters other than lower-case letters, digits and hyphens.",
    hint="Write a name such as parcel-tracking.",
    rule="S07",
)
UNSUPPORTED = Rule(
    "agentv.W110",
    "{name} is not a file of tests.",
    hint="Tests stand in .yaml, .yml or .jsonl files, or in a folder that is there.",
    rule="S10",
)
NO_PLACE = Rule(
    "agentv.E020",
    "A suite needs a path of its own in the pack.",
    hint="Write a path such as evals/parcels.eval.yaml.",
)
_NAME = re.compile(NAME)


def check_suite(index: PackIndex, around: Around, node: Node) -> Iterator[Finding]:
    """The findings about one suite without its tests; paths start at its document."""
    document = around.suite
    yield from _check_place(index, node)
    if document.get("$list"):
        return
    if (key := str(document.get("$key"))) in OLD_KEYS:
        yield OLD_SUITE_KEY.at((key,), name=key, expected=OLD_KEYS[key])
    name = document.get("name")
    if isinstance(name, str) and not _NAME.fullmatch(name):
        yield BAD_NAME.at(("name",), name=repr(name)[:80])
    yield from _check_structure(around, document)
    yield from missing_shared_files(around)
    yield from _check_tests(index, around, node)
    if str(document.get("$key", "tests")) != "tests":
        yield NO_TESTS_KEY.at(("tests",))
    elif _has_no_tests(index, node) and document.get("tests") is None:
        yield NO_TESTS_KEY.at(("tests",))
        return
    yield from _check_assertions(around, document)
    yield from check_converters_of_suite(around)
    yield from check_workspace(around, node.document.get("workspace"), is_of_suite=True)
    yield from _check_execution(document)
    yield from check_judges(around, document)
    yield from check_hooks_of_targets(around)
    yield from advise_suite(index, around, node)


def _has_no_tests(index: PackIndex, node: Node) -> bool:
    return index.case_count(node.position) == 0


def _check_place(index: PackIndex, node: Node) -> Iterator[Finding]:
    name = node.document.get("$file")
    if not isinstance(name, str) or not name.endswith((".yaml", ".yml")) or refused_name(name) is not None:
        yield NO_PLACE.at(("$file",))
        return
    if index.is_repeated(node):
        yield REPEATED.at(("$file",), kind="suite", name=repr(name))
    yield from check_key(name, ("$file",))
    is_marked = node.document.get("$schema") == "agentv-eval-v2" or node.document.get("$list")
    if not is_suite_name(name) and not is_marked:
        yield UNRECOGNISED.at((), name=name)


def _check_tests(index: PackIndex, around: Around, node: Node) -> Iterator[Finding]:
    tests = around.suite.get("tests")
    if isinstance(tests, str):
        yield from _check_path(index, around, node, tests)
    elif tests is not None and not isinstance(tests, list) or tests is None and _has_no_tests(index, node):
        yield NO_TESTS.at(("tests",))


def _check_path(index: PackIndex, around: Around, node: Node, tests: str) -> Iterator[Finding]:
    name = inside(around.folder, tests)
    is_file = is_list_name(tests)
    is_there = name is not None and around.exists(name) and index.asset(name) is None
    is_folder = is_there or index.case_count(node.position) > 0
    if name is None:
        yield NO_FILE.at(("tests",), name=repr(tests)[:160], reason="it lies outside the pack")
    elif not is_file and not is_folder:
        yield UNSUPPORTED.at(("tests",), name=repr(tests)[:160])
        yield NO_FILE.at(("tests",), name=repr(tests)[:160], reason="there is no such folder")
    elif _has_no_tests(index, node):
        yield EMPTY.at(("tests",), name=repr(tests)[:160])


def _check_structure(around: Around, document: Document) -> Iterator[Finding]:
    # AgentV's checks look at the messages of a suite, but not for the files that they name.
    found = chain(
        check_messages(around, listing(document.get("input")), ("input",)), refused(NodeKind.INPUT_SET, document)
    )
    for finding in found:
        yield from reported_as_warnings([finding]) if finding.rule in FILE_REFERENCES else [finding]


def _check_assertions(around: Around, document: Document) -> Iterator[Finding]:
    stated, path = suite_list(document)
    if stated is not None:
        yield from check_assertions(around, stated, path)
    yield from reported_as_warnings(settle(around, stated, path).findings)


def _check_execution(document: Document) -> Iterator[Finding]:
    if "total_budget_usd" in mapping(document.get("execution")):
        yield OLD_BUDGET.at(("execution", "total_budget_usd"))
