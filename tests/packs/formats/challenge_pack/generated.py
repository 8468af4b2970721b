"""Generated challenge packs: well typed, tidy and full of texts that YAML readers like to misread."""

from typing import Any

from hypothesis import strategies as st

from packs.formats.challenge_pack.keys import identify
from packs.formats.challenge_pack.reader import case_node, settle
from packs.formats.challenge_pack.shapes import (
    ANY,
    BLOCK,
    FLAG,
    FREE,
    INTEGER,
    LIST,
    NAMED,
    NUMBER,
    SHAPES,
    TEXT,
    Shape,
    is_zero,
)
from packs.formats.challenge_pack.values import content_name
from packs.formats.document import Asset, Challenge, File, InputSet, NodeKind, Pack
from packs.formats.values import trimmed

NASTY = [
    *["no", "yes", "on", "y", "true", "null", "~", "", " ", "1e3", "1.0", "0x10", "017", "1_000", ".inf", "12:30"],
    *["2024-01-02", "2024-01-02T00:00:00Z", "2024-01-02T03:04:05+02:00", "a: b", "a #b", "- a", "*a", "&a", "!a", "%a"],
    *[
        "@a",
        "`a",
        "{a",
        "[a",
        "'a",
        '"a',
        "a\n",
        "a\n\n",
        "a\nb",
        "\na",
        " a\nb",
        "a \nb\n",
        "a\tb",
        "a\rb",
        "a\\b",
        "<<",
    ],
    *["é", "🙂", "a\u0085b", "a\u2028b", "\ufeffa", "\x07", "a" * 200, "---", "...", "? a", "| a", "> a", "{{ name }}"],
]
texts = st.one_of(st.sampled_from(NASTY), st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
keys = st.one_of(st.sampled_from(["x-note", "a.b", "a/b", "a~b", "no", "1", "<<", "", "ü"]), texts)
integers = st.integers(-(2**63), 2**63 - 1)
numbers = st.one_of(integers, st.floats(allow_nan=False, allow_infinity=False))
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=6,
)
free_maps = st.dictionaries(keys, values, max_size=3)


def of_shape(shape: Shape, depth: int = 6) -> st.SearchStrategy[Any]:
    """Values that fit a shape."""
    simple = {
        FLAG: st.booleans(),
        INTEGER: st.integers(-(2**31), 2**31 - 1),
        NUMBER: numbers,
        ANY: values.filter(lambda value: value is not None),
        FREE: free_maps,
    }
    if shape.kind == TEXT:
        return texts
    if shape.kind in simple:
        return simple[shape.kind]
    if shape.kind == BLOCK:
        return blocks(shape, depth)
    part = of_shape(shape.item, depth - 1)
    if shape.kind == LIST:
        return st.lists(part, max_size=2 if depth > 0 else 0)
    if shape.kind == NAMED:
        return st.dictionaries(keys, part, max_size=2)
    return st.one_of(texts, part)


@st.composite
def blocks(draw: st.DrawFn, shape: Shape, depth: int) -> dict[str, Any]:
    """A mapping with some of the known fields and, where the format keeps them, unknown ones."""
    names = draw(st.lists(st.sampled_from(list(shape.fields)), unique=True, max_size=4 if depth > 0 else 1))
    found = {name: draw(of_shape(shape.fields[name], depth - 1)) for name in names}
    found = {name: part for name, part in found.items() if not is_zero(shape.fields[name], part)}
    if shape.is_strict or not draw(st.booleans()):
        return found
    unknown = draw(st.dictionaries(keys, values, max_size=2))
    return found | {name: part for name, part in unknown.items() if name not in shape.fields}


def documents(kind: NodeKind) -> st.SearchStrategy[dict[str, Any]]:
    """Documents of one kind of node, as a reader would leave them."""
    reserved = {NodeKind.PACK: ("challenges", "input_sets"), NodeKind.INPUT_SET: ("cases", "items")}.get(kind, ())

    def tidy(document: dict[str, Any]) -> dict[str, Any]:
        document = {name: part for name, part in document.items() if name not in reserved}
        if kind is NodeKind.PACK and isinstance(document.get("version"), dict):
            document["version"] = {name: part for name, part in document["version"].items() if name != "assets"}
        return settle(kind, document)

    return blocks(SHAPES[kind], 6).map(tidy)


def challenges() -> st.SearchStrategy[Challenge]:
    return documents(NodeKind.CHALLENGE).map(lambda found: Challenge(identify(NodeKind.CHALLENGE, found)[0], found))


@st.composite
def input_sets(draw: st.DrawFn) -> InputSet:
    document = draw(documents(NodeKind.INPUT_SET))
    cases = draw(st.lists(documents(NodeKind.CASE).map(case_node), max_size=3))
    return InputSet(identify(NodeKind.INPUT_SET, document)[0], document, tuple(cases))


FILE_NAMES = ["notes.txt", "files/a.csv", "files/b c.md", "pack.yaml"]


@st.composite
def packs(draw: st.DrawFn) -> Pack:
    """Whole packs, some with files; the files are those that assets name and others."""
    document = draw(documents(NodeKind.PACK))
    contents = draw(st.dictionaries(st.sampled_from(FILE_NAMES), st.binary(max_size=8), max_size=3))
    assets = []
    for found in draw(st.lists(documents(NodeKind.ASSET), max_size=2)):
        if draw(st.booleans()):
            found = found | {"path": draw(st.sampled_from(FILE_NAMES))}
        path = trimmed(found.get("path"))
        key = identify(NodeKind.ASSET, found)[0]
        assets.append(Asset(key, path, found, contents.get(content_name(path))))
    taken = {content_name(asset.path) for asset in assets}
    files = tuple(File(name, data) for name, data in sorted(contents.items()) if name not in taken)
    return Pack(
        format="challenge_pack",
        key=identify(NodeKind.PACK, document)[0],
        document=document,
        challenges=tuple(draw(st.lists(challenges(), max_size=2))),
        input_sets=tuple(draw(st.lists(input_sets(), max_size=2))),
        assets=tuple(assets),
        files=files,
    )
