"""One test (agentv B): the static rules, what the loader would leave out, and advice."""

from collections.abc import Iterator
from typing import Any

from packs.formats.adapter import Node, PackIndex
from packs.formats.agentv.checks.advice import advise_test
from packs.formats.agentv.checks.assertions import check_assertions
from packs.formats.agentv.checks.conversations import check_conversation
from packs.formats.agentv.checks.leaks import check_leaks, check_template
from packs.formats.agentv.checks.messages import NO_FILE, check_messages
from packs.formats.agentv.checks.outside import reported_as_warnings
from packs.formats.agentv.checks.structure import refused
from packs.formats.agentv.checks.suites import UNSUPPORTED
from packs.formats.agentv.checks.targets import check_judges
from packs.formats.agentv.checks.workspaces import check_workspace
from packs.formats.agentv.context import Around
from packs.formats.agentv.layout import LIST_ENDINGS, SCHEME, inside, is_list_name
from packs.formats.agentv.loaded import load_test
from packs.formats.agentv.notes import DUPLICATE, LEFT_OUT, MISSING_FILE, SELF
from packs.formats.agentv.notes import NO_FILE as NO_TESTS_FILE
from packs.formats.agentv.reading import is_text
from packs.formats.agentv.rules import NO_MAPPING
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Path, Rule
from packs.formats.identity import check_key
from packs.formats.values import listing, mapping, trimmed

NO_FILE_ENTRY = Rule(
    "agentv.E112",
    "A test must be a mapping, or name a file with `file://`.",
    hint="Write file:// before a path, or the fields of a test.",
    rule="S12",
)
# What AgentV's checks call the same troubles in a file that is a bare list of tests.
_IN_LISTS = {"S12": "S62", "S13": "S62", "S16": "S63", "S18": "S64", "S19": "S65"}


def check_test(index: PackIndex, around: Around, node: Node) -> Iterator[Finding]:
    """The findings about one test; paths start at its document."""
    document = node.document
    if "$entry" in document:
        yield from _placed(around, _check_entry(around, document["$entry"]))
        return
    reported = list(check_fields(around, around.filled(document)))
    yield from _placed(around, iter(reported))
    yield from _check_loading(around, document, {found.path for found in reported if found.code == NO_FILE.code})
    found = check_workspace(around, document.get("workspace"), is_of_suite=False)
    # AgentV's checks read workspaces of tests in other files, but not those of a bare list.
    yield from reported_as_warnings(found) if around.suite.get("$list") else found
    yield from check_key(trimmed(document.get("id")), ("id",))
    if is_text(document.get("id")) and index.is_repeated(node):
        yield DUPLICATE.at(("id",), key=repr(document["id"])[:120])
    if document.get("id") in listing(document.get("depends_on")):
        yield SELF.at(("depends_on",))
    yield from check_judges(around, around.filled(document))
    yield from advise_test(around, document)


def _check_entry(around: Around, item: Any) -> Iterator[Finding]:
    can_name = not around.is_external and not around.suite.get("$list")
    if isinstance(item, str) and item.startswith(SCHEME) and can_name:
        yield from _check_file_entry(around, item)
        return
    yield (NO_FILE_ENTRY if isinstance(item, str) and can_name else NO_MAPPING).at(())
    yield LEFT_OUT.at((), reason="it is not a mapping", advice="Write a mapping of fields.")


def _check_file_entry(around: Around, item: str) -> Iterator[Finding]:
    """An entry that names a file of tests which was not read."""
    path, shown = item.removeprefix(SCHEME), repr(item)[:160]
    name = inside(around.folder, path)
    if not path.endswith(LIST_ENDINGS):
        yield UNSUPPORTED.at((), name=shown)
    if name is None:
        reason = "the path leads out of the pack"
    elif around.exists(name) and not is_list_name(path):
        reason = f"the file must end in {' or '.join(LIST_ENDINGS)}"
    elif around.exists(name):
        reason = "the file was added after the import, which reads such tests"
    else:
        reason = "the pack has no file of that name"
    yield NO_TESTS_FILE.at((), name=shown, reason=reason)


def _placed(around: Around, findings: Iterator[Finding]) -> Iterator[Finding]:
    """Findings as AgentV would tell them: by other numbers in a bare list, not at all outside the suite's file."""
    if around.suite.get("$list"):
        for finding in findings:
            rule = _IN_LISTS.get(finding.rule)
            yield from [_renumbered(finding, rule)] if rule else reported_as_warnings([finding])
    elif around.is_external:
        for finding in findings:
            # An entry that is no test makes the whole file unusable.
            yield from [_renumbered(finding, "S11")] if finding.rule == "S13" else reported_as_warnings([finding])
    else:
        yield from findings


def _renumbered(finding: Finding, rule: str) -> Finding:
    return Finding(finding.code, finding.severity, finding.path, finding.message, finding.hint, rule)


def check_fields(around: Around, test: Document) -> Iterator[Finding]:
    """The static rules about the fields of a test."""
    yield from refused(NodeKind.CASE, test)
    yield from check_messages(around, listing(test.get("input")), ("input",))
    yield from _check_expected(around, test)
    yield from check_assertions(around, test.get("assertions", []), ("assertions",))
    yield from check_conversation(around, test)


def _check_expected(around: Around, test: Document) -> Iterator[Finding]:
    stated = listing(test.get("expected_output"))
    if "role" in mapping(next(iter(stated), None)):
        yield from check_messages(around, stated, ("expected_output",))


def _check_loading(around: Around, document: Document, missed: set[Path]) -> Iterator[Finding]:
    """What the loader leaves out without a word; the files that are `missed` were reported before."""
    loaded, findings = load_test(around, document)
    for finding in findings:
        if finding.code != MISSING_FILE.code or finding.path not in missed:
            yield finding
    if loaded is not None:
        yield from check_leaks(loaded)
        yield from check_template(around, loaded)
