"""No mistake of structure goes unseen: what the schema of a node refuses brings a finding.

Every value of the samples, and of the corpus where it is at hand, is replaced by wrong ones of every type.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from packs.formats import FORMATS, adapter_of, recognise
from packs.formats.adapter import Node
from packs.formats.document import NodeKind, Pack
from packs.formats.index import TreeIndex
from packs.formats.schema import SchemaCheck, compile_schema
from tests.corpora import CORPUS

SAMPLES = Path(__file__).resolve().parents[2] / "packs" / "samples"
WRONG = (True, 0, -1, 1.5, 10**15, "", " ", "text", [], [None], {}, {"x": 1}, [1], ["a"])
CASES = 4
# Where the original reads a blank text as if nothing stood there: a choice with its default (challenge-pack).
BLANK_IS_DEFAULT = ("challenge_pack",)


def packs(name: str) -> Iterator[Pack]:
    folders = [SAMPLES, CORPUS / name.replace("_", "-")]
    for path in sorted(path for folder in folders if folder.is_dir() for path in folder.iterdir()):
        files = {path.name: path} if path.is_file() else {str(p.relative_to(path)): p for p in path.rglob("*")}
        contents = {key: file.read_bytes() for key, file in files.items() if file.is_file()}
        if recognise(contents) == name:
            pack = adapter_of(name).load(contents)[0]
            if pack is not None:
                yield pack


def nodes(pack: Pack) -> Iterator[Node]:
    yield Node(NodeKind.PACK, pack.document, "")
    for position, challenge in enumerate(pack.challenges):
        yield Node(NodeKind.CHALLENGE, challenge.document, challenge.key, position=position)
    for parent, input_set in enumerate(pack.input_sets):
        yield Node(NodeKind.INPUT_SET, input_set.document, input_set.key, position=parent)
        for position, case in enumerate(input_set.cases[:CASES]):
            yield Node(NodeKind.CASE, case.document, case.key, case.challenge_key, parent, position)


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in steps:
        yield (*path, step)
        yield from places(part, (*path, step))


def changed(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    found = holder = deepcopy(document)
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return found


def said(adapter: Any, index: TreeIndex, node: Node) -> set[tuple[str, Any, str]]:
    return {(found.code, found.path, found.message) for found in adapter.check_node(index, node)}


def unseen(name: str) -> Iterator[tuple[str, str, Any]]:
    """Where the schema refuses a value and the check says no more than before."""
    adapter = adapter_of(name)
    checks = {kind: compile_schema(schema) for kind, schema in adapter.SCHEMA.items()}
    seen = set()
    for pack in packs(name):
        index = TreeIndex(pack)
        for node in nodes(pack):
            check = checks[node.kind]
            assert isinstance(check, SchemaCheck)
            before = said(adapter, index, node) if check.is_valid(node.document) else None
            for path in places(node.document) if before is not None else ():
                place = (node.kind, tuple(step if isinstance(step, str) else 0 for step in path))
                if place in seen:
                    continue
                seen.add(place)
                for value in WRONG:
                    document = changed(node.document, path, value)
                    now = replace(node, document=document)
                    if not check.is_valid(document) and not said(adapter, index, now) - before:
                        yield node.kind.value, ".".join(map(str, place[1])), value


def is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


@pytest.mark.parametrize("name", FORMATS)
def test_what_the_schema_refuses_brings_a_finding(name):
    passed = name in BLANK_IS_DEFAULT
    assert [place for place in unseen(name) if not (passed and is_blank(place[2]))] == []
