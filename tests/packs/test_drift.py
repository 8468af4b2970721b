"""What the published schema of a node refuses brings an error, and what brings an error of structure it refuses.

Every value of the samples, and of the corpus where it is at hand, is replaced by wrong ones of every type. Errors of
other rules are listed in `unsayable`.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest

from packs.formats import FORMATS, adapter_of, recognise
from packs.formats.adapter import Node
from packs.formats.agentv import schema as agentv_schema
from packs.formats.agentv.arranging import INLINE, ROWS, arranged, arrangement
from packs.formats.document import Document, NodeKind, Pack
from packs.formats.findings import Finding
from packs.formats.index import TreeIndex
from packs.formats.schema import SchemaCheck, compile_schema
from packs.formats.structure import published
from packs.formats.structure.model import inheriting
from tests.corpora import CORPUS
from tests.packs.unsayable import UNSAYABLE

pytestmark = pytest.mark.long

SAMPLES = Path(__file__).resolve().parents[2] / "packs" / "samples"
# The number is what readers make of 10**30: documents hold no whole numbers beyond 64 bits.
ABSENT = object()
WRONG = (None, True, 0, -1, 1.5, 10**15, 1e30, "", " ", "text", [], [None], {}, {"x": 1}, [1], ["a"])
CASES = 4
LISTED = "listed"
PLACES = (INLINE, ROWS, LISTED)
# Formats that publish what others refuse: a warning is not enough there, and values are left out too.
EXACT = ("agentv",)
Place = tuple[str, tuple[str | int, ...]]


def packs(name: str) -> Iterator[Pack]:
    folders = [SAMPLES, CORPUS / name.replace("_", "-")]
    # The samples come first wherever the corpus lies, as the first of several like places is the one that is changed.
    for path in (path for folder in folders if folder.is_dir() for path in sorted(folder.iterdir())):
        files = {path.name: path} if path.is_file() else {str(p.relative_to(path)): p for p in path.rglob("*")}
        contents = {key: file.read_bytes() for key, file in files.items() if file.is_file()}
        if recognise(contents) == name:
            pack = adapter_of(name).load(contents)[0]
            if pack is not None:
                yield from (placed(pack, how) for how in PLACES) if name == "agentv" else [pack]


def placed(pack: Pack, how: str) -> Pack:
    """A pack of AgentV with the tests of its suites elsewhere: what is refused depends on where a test stands."""
    for position in range(len(pack.input_sets)):
        pack = arranged(pack, position, ROWS if how == ROWS else INLINE)
    if how != LISTED:
        return pack
    sets = tuple(replace(each, document={"$file": each.key, "$list": True}) for each in pack.input_sets)
    return replace(pack, input_sets=sets)


def nodes(pack: Pack) -> Iterator[Node]:
    yield Node(NodeKind.PACK, pack.document, "")
    for position, challenge in enumerate(pack.challenges):
        yield Node(NodeKind.CHALLENGE, challenge.document, challenge.key, position=position)
    for parent, input_set in enumerate(pack.input_sets):
        yield Node(NodeKind.INPUT_SET, input_set.document, input_set.key, position=parent)
        for position, case in enumerate(input_set.cases[:CASES]):
            yield Node(NodeKind.CASE, case.document, case.key, case.challenge_key, parent, position)
    for position, asset in enumerate(pack.assets[:CASES] if pack.format in EXACT else ()):
        yield Node(NodeKind.ASSET, asset.document, asset.key, position=position)


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in steps:
        yield (*path, step)
        yield from places(part, (*path, step))


def changed(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """The document with another value at a path; it shares the rest with the old one."""
    step, *rest = path
    found = dict(document) if isinstance(document, dict) else list(document)
    if rest:
        found[step] = changed(document[step], tuple(rest), value)
    elif value is ABSENT:
        del found[step]
    else:
        found[step] = value
    return found


@cache
def compiled(schema: bytes) -> SchemaCheck:
    check = compile_schema(orjson.loads(schema))
    assert isinstance(check, SchemaCheck)
    return check


def takes(pack: Pack, node: Node, document: Any) -> bool:
    """Whether the published schema takes a document, with what it leaves to its pack filled in."""
    if pack.format == "agentv":
        schema = agentv_schema.refusing(node.kind, suite_of(pack, node))
    else:
        schema = published(inheriting(adapter_of(pack.format).SCHEMA[node.kind], document, pack.document))
    return compiled(orjson.dumps(schema)).is_valid(document)


def suite_of(pack: Pack, node: Node) -> Document:
    return pack.input_sets[node.parent].document if node.kind is NodeKind.CASE else {}


def kind_of(pack: Pack, node: Node) -> str:
    """The kind of a node, and for a test of AgentV where it stands."""
    suite = suite_of(pack, node)
    if pack.format != "agentv" or not suite:
        return node.kind.value
    return f"{LISTED if '$list' in suite else arrangement(suite)} {node.kind.value}"


def changes(pack: Pack, seen: set[Place]) -> Iterator[tuple[Node, Iterator[tuple[Place, Any, Document]]]]:
    """The nodes of a pack, and each with one value replaced, of places like those seen before none."""
    wrong = (*WRONG, ABSENT) if pack.format in EXACT else WRONG
    for node in nodes(pack):
        kind, paths = kind_of(pack, node), dict[Place, tuple[str | int, ...]]()
        for path in places(node.document):
            paths.setdefault((kind, tuple(step if isinstance(step, str) else 0 for step in path)), path)
        new = {place: path for place, path in paths.items() if place not in seen}
        if new and takes(pack, node, node.document):
            seen.update(new)
            tried = ((place, path, value) for place, path in new.items() for value in wrong)
            yield node, ((place, value, changed(node.document, path, value)) for place, path, value in tried)


def told(adapter: Any, index: TreeIndex, node: Node) -> dict[tuple[str, Any, str], Finding]:
    return {(found.code, found.path, found.message): found for found in adapter.check_node(index, node)}


@cache
def drift(name: str) -> tuple[list[tuple[str, str, Any]], dict[str, tuple[str, str, Any]]]:
    """Where the schema refuses a value and the check reports nothing new, and errors that it does not refuse.

    The errors are those of one place a code.
    """
    adapter, seen = adapter_of(name), set[Place]()
    unseen, unrefused = [], dict[str, tuple[str, str, Any]]()
    for pack in packs(name):
        index = TreeIndex(pack)
        for node, tried in changes(pack, seen):
            before = told(adapter, index, node)
            for place, value, document in tried:
                after = told(adapter, index, replace(node, document=document))
                new = [found for key, found in after.items() if key not in before]
                where = (place[0], ".".join(map(str, place[1])), value)
                if not takes(pack, node, document):
                    is_seen = any(found.is_error for found in new) if name in EXACT else new
                    unseen += [] if is_seen else [where]
                else:
                    unrefused |= {found.code: where for found in new if found.is_error}
    return unseen, unrefused


@pytest.mark.parametrize("name", FORMATS)
def test_what_the_schema_refuses_brings_a_finding(name):
    assert drift(name)[0] == []


@pytest.mark.parametrize("name", FORMATS)
def test_what_brings_an_error_of_structure_is_refused_by_the_schema(name):
    assert {code: where for code, where in drift(name)[1].items() if code not in UNSAYABLE} == {}


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not at hand")
def test_the_list_of_errors_that_schemas_do_not_say_holds_no_others():
    assert set().union(*(drift(name)[1] for name in FORMATS)) == set(UNSAYABLE)
