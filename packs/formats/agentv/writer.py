"""Writing: canonical files (agentv K), byte-stable."""

from collections.abc import Iterable, Mapping
from posixpath import dirname
from typing import Any

from packs.formats import jsonio, yamlio
from packs.formats.agentv.layout import SCHEME, SETTINGS, inside, is_list_name
from packs.formats.agentv.reading import DIALECT
from packs.formats.agentv.schema.assertions import TAIL
from packs.formats.agentv.schema.messages import MESSAGE
from packs.formats.agentv.schema.test import TURN
from packs.formats.agentv.schema.workspace import POINTS, REPOSITORY, WORKSPACE_FIELDS
from packs.formats.document import Case, Document, InputSet, NodeKind, Pack
from packs.formats.structure.ordering import Order, arranged, each

SUITE_KEYS = (
    "$schema",
    "name",
    "description",
    "version",
    "author",
    "category",
    "tags",
    "license",
    "requires",
    "governance",
    "metadata",
    "workspace",
    "execution",
    "preprocessors",
    "input",
    "input_files",
    "assertions",
)
TEST_KEYS = (
    "id",
    "conversation_id",
    "suite",
    "depends_on",
    "on_dependency_failure",
    "vars",
    "criteria",
    "mode",
    "input",
    "input_files",
    "expected_output",
    "aggregation",
    "on_turn_failure",
    "window_size",
    "turns",
    "assertions",
    "execution",
    "workspace",
    "metadata",
)
_HOOK = ("command", "script", "timeout_ms", "cwd", "reset")
_MAX_STEM = 200


def dump(pack: Pack) -> dict[str, bytes]:
    """The canonical files of a pack, sorted by path; see `Adapter.dump`."""
    files = {file.path: file.content for file in pack.files}
    files |= {asset.path: asset.content for asset in pack.assets if asset.path and asset.content is not None}
    if pack.document:
        files[SETTINGS] = dump_node(NodeKind.PACK, pack.document).encode()
    for input_set in pack.input_sets:
        files |= _suite_files(input_set)
    return dict(sorted(files.items()))


def _suite_files(input_set: InputSet) -> dict[str, bytes]:
    document, tests = input_set.document, [_entry(case.document) for case in input_set.cases]
    name = input_set.key or "suite.eval.yaml"
    if document.get("$list"):
        return {name: yamlio.write(tests, dialect=DIALECT).encode()}
    path = document.get("tests")
    place = inside(dirname(name), path) if isinstance(path, str) else None
    if place is None or not isinstance(path, str):
        # Tests outside of the pack stay named, beside those that were added here.
        named = [f"{SCHEME}{path}"] if isinstance(path, str) and tests else []
        return {name: _suite_text(document, [*named, *tests])}
    if place.lower().endswith(".jsonl"):
        return {name: _suite_text(document, None), place: b"".join(jsonio.write(test) for test in tests)}
    if is_list_name(place):
        text = yamlio.write(tests, dialect=DIALECT) if tests else ""
        return {name: _suite_text(document, None), place: text.encode()}
    return {name: _suite_text(document, None), **_case_files(place, input_set.cases)}


def _suite_text(document: Document, tests: list[Any] | None) -> bytes:
    """The text of a suite; its tests come last, where the suite has them itself."""
    found = own_part(document)
    if tests:
        found.pop("tests", None)
        found[str(document.get("$key", "tests"))] = tests
    return yamlio.write(found, dialect=DIALECT).encode()


def own_part(document: Document) -> Document:
    """A suite as its file says it: in canonical order, without the keys of our own."""
    ordered: Document = _suite(document)
    found = {key: value for key, value in ordered.items() if key not in ("$file", "$list", "$key")}
    if "tests" in found:
        found["tests"] = found.pop("tests")
    return found


def _entry(document: Document) -> Any:
    """A test as it stands in a list."""
    if "$entry" in document:
        return document["$entry"]
    ordered = _test(document)
    return {key: value for key, value in ordered.items() if key != "$folder"}


def _case_files(folder: str, cases: Iterable[Case]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for case in cases:
        stem = stem_of(str(case.document.get("$folder") or case.key))
        place, number = f"{folder}/{stem}/case.yaml" if folder else f"{stem}/case.yaml", 2
        while place in found:
            place, number = f"{folder}/{stem}-{number}/case.yaml", number + 1
        entry = _entry(case.document)
        if isinstance(entry, dict) and entry.get("id") == place.split("/")[-2]:
            entry = {key: value for key, value in entry.items() if key != "id"}
        found[place] = yamlio.write(entry, dialect=DIALECT).encode()
    return found


def stem_of(key: str) -> str:
    """A folder's name for any key; the key itself where it can be one."""
    safe = "".join(letter if letter.isalnum() or letter in "._- " else "-" for letter in key[:_MAX_STEM])
    return safe.strip(". ") or "case"


def dump_node(kind: NodeKind, document: Document) -> str:
    """The canonical text of one node's document; see `Adapter.dump_node`. Raises UnwritableError."""
    orders: Mapping[NodeKind, Order] = {NodeKind.INPUT_SET: _suite, NodeKind.CASE: _test}
    return yamlio.write(orders.get(kind, dict)(document), dialect=DIALECT)


def _assertion(value: Any) -> Any:
    parts: dict[str, Order] = {"assertions": each(_assertion)}
    return arranged(("name", "type"), parts, (*TAIL, "assertions", "aggregator"))(value)


_HOOKS = arranged(("enabled", *POINTS), {name: arranged(_HOOK) for name in POINTS})
_SPACE = arranged(WORKSPACE_FIELDS["properties"], {"repos": each(arranged(REPOSITORY["properties"])), "hooks": _HOOKS})
_MESSAGES = each(arranged(MESSAGE["properties"]))
_PARTS: dict[str, Order] = {
    "workspace": _SPACE,
    "assertions": each(_assertion),
    "input": _MESSAGES,
    "expected_output": _MESSAGES,
    "turns": each(arranged(TURN["properties"], {"assertions": each(_assertion)})),
}
_suite = arranged(("$file", "$list", "$key", *SUITE_KEYS), _PARTS, ("tests",))
_test = arranged(("$folder", *TEST_KEYS), _PARTS)
