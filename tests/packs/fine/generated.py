"""Packs of every format: small whole ones, with parts made anew from the format's schema or done otherwise."""

import json
from copy import deepcopy
from functools import cache
from typing import Any

import yaml
from hypothesis import strategies as st

from packs.formats import FORMATS, adapter_of, recognise, yamlio
from packs.formats.archives import read_path, read_zip, write_zip
from tests.corpora import ROOT
from tests.packs.fine.shapes import KEYS, NUMBERS, anything, keys, of_schema, scalars, texts

SAMPLES = (ROOT / "packs" / "samples", ROOT / "tests" / "fixtures" / "challenge_pack" / "bases")
TEXT_FILES = (".yaml", ".yml", ".json", ".jsonl")
# Marks a key that is written as the one before it.
AGAIN = "\ue000again"


@cache
def bases() -> dict[str, list[dict[str, bytes]]]:
    """Whole packs by format: what a new pack begins with, the samples and small fixtures."""
    found = {name: [adapter_of(name).dump(adapter_of(name).starter("small", "Small"))] for name in FORMATS}
    for folder in SAMPLES:
        for path in sorted(folder.iterdir()):
            files = dict(read_path(path)[0])
            found[recognise(files)].append(files)
    return found


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all parts of a value, the value itself among them."""
    steps = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [path, *(inner for step in steps for inner in places(value[step], (*path, step)))]


def part_at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def _same_sort(value: Any) -> st.SearchStrategy[Any]:
    """Another value of the same type."""
    if isinstance(value, bool):
        return st.just(not value)
    if isinstance(value, str):
        return texts | texts.map(lambda text: value + text) | st.sampled_from([f" {value} ", value.upper(), value * 40])
    if isinstance(value, int | float):
        return st.sampled_from(NUMBERS)
    return anything


@st.composite
def otherwise(draw: st.DrawFn, root: Any) -> Any:
    """A value with one part of it done otherwise."""
    root = deepcopy(root)
    path = draw(st.sampled_from(places(root)[1:] or [()]))
    if not path:
        return draw(anything)
    holder, step = part_at(root, path[:-1]), path[-1]
    deed = draw(st.sampled_from(["same", "same", "same", "odd", "remove", "twice", "order", "add", "copy", "rename"]))
    if deed == "same":
        holder[step] = draw(_same_sort(holder[step]))
    elif deed == "odd":
        holder[step] = draw(anything)
    elif deed == "copy":
        holder[step] = deepcopy(part_at(root, draw(st.sampled_from(places(root)))))
    elif isinstance(holder, list):
        _in_list(draw, deed, holder, step)
    else:
        _in_mapping(draw, deed, holder, step)
    return root


def _in_list(draw: st.DrawFn, deed: str, holder: list[Any], step: int) -> None:
    if deed == "remove":
        del holder[step]
    elif deed == "order":
        holder.reverse()
    elif deed == "add":
        holder.append(draw(scalars))
    else:
        holder.insert(step, deepcopy(holder[step]))


def _in_mapping(draw: st.DrawFn, deed: str, holder: dict[str, Any], step: str) -> None:
    if deed == "remove":
        del holder[step]
    elif deed == "order":
        items = list(holder.items())
        holder.clear()
        holder.update(reversed(items))
    elif deed == "add":
        holder[draw(keys)] = draw(anything)
    elif deed == "rename":
        holder[draw(st.sampled_from(KEYS))] = holder.pop(step)
    else:
        holder[step + AGAIN] = draw(st.just(holder[step]) | scalars)


@st.composite
def with_new_parts(draw: st.DrawFn, format_name: str, files: dict[str, bytes]) -> dict[str, bytes]:
    """Files of a pack in which fields of some nodes were made anew by the schema, as the studio would write them."""
    adapter = adapter_of(format_name)
    pack, _ = adapter.load(files)
    assert pack is not None
    nodes = [(address, document) for address, document in pack.nodes() if address.kind in adapter.SCHEMA]
    for _ in range(draw(st.integers(1, 2))):
        address, document = draw(st.sampled_from(nodes))
        edited = {**document, **draw(fields_of(adapter.SCHEMA[address.kind]))}
        document.clear()
        document.update(edited)
    return adapter.dump(pack)


@st.composite
def fields_of(draw: st.DrawFn, schema: dict[str, Any]) -> dict[str, Any]:
    """One or two fields of a node, as its schema wants them."""
    known = schema["properties"]
    names = draw(st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=2, unique=True))
    return {name: draw(of_schema(known[name])) for name in names}


def read_value(name: str, data: bytes) -> Any:
    """The value of a text file; of JSON Lines, the list of its rows."""
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in data.splitlines() if line.strip()]
    return yamlio.read(data, dialect=yamlio.CORE_12)[0]


@st.composite
def written(draw: st.DrawFn, name: str, value: Any) -> bytes:
    """A value as somebody may write it: as YAML or JSON, in several encodings, with keys given twice."""
    if name.endswith(".jsonl"):
        rows = value if isinstance(value, list) else [value]
        text = "".join(json.dumps(row, ensure_ascii=draw(st.booleans())) + "\n" for row in rows)
    elif draw(st.booleans()):
        text = yaml.dump(
            value, allow_unicode=draw(st.booleans()), sort_keys=False, default_flow_style=draw(st.booleans())
        )
    else:
        text = json.dumps(value, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 2])))
    text = text.replace(AGAIN, "").replace("\\ue000again", "").replace("\\uE000again", "")
    text = draw(st.sampled_from([text] * 12 + [text.replace("\n", "\r\n"), f"\ufeff{text}", f"{text}\n\n# end\n"]))
    return text.encode(draw(st.sampled_from(["utf-8"] * 15 + ["utf-16"])), "surrogatepass")


# A number that no float holds, an infinite one, half a character and an escape, in the place of a marked text.
RAW = (
    *("1" * 30, "1e999", "-0", "1.0", "1E2", '"\\ud83d"', '"\\u0000"', '"\\ud83d\\ude00"', "[[[[]]]]", "null", "{}"),
    "[" * 98 + "]" * 98,
)


@st.composite
def with_changes(draw: st.DrawFn, files: dict[str, bytes]) -> dict[str, bytes]:
    """Files in which values were changed and written anew by another hand than the studio's."""
    names = sorted(name for name in files if name.endswith(TEXT_FILES))
    if not names:
        return files
    name = draw(st.sampled_from(names))
    value = read_value(name, files[name])
    for _ in range(draw(st.integers(1, 2))):
        value = draw(otherwise(value))
    data = draw(written(name, value))
    if draw(st.integers(0, 5)) == 0:
        raw = draw(st.sampled_from(RAW)).encode()
        data = data.replace(b'"a"', raw).replace(b": 1", b": " + raw, 1)
    return {**files, name: data}


@st.composite
def with_other_files(draw: st.DrawFn, files: dict[str, bytes]) -> dict[str, bytes]:
    """Files of which one is left out, called otherwise, or joined by another."""
    name = draw(st.sampled_from(sorted(files)))
    found = {other: data for other, data in files.items() if other != name or draw(st.booleans())}
    new = draw(
        st.sampled_from(["notes.txt", "a b.md", "ü.txt", "e\u0301.txt", "x/y/z.bin", "n" * 150, ".hidden", "a\u202eb"])
    )
    found[new] = draw(st.sampled_from([b"", b"text", b"\xff\x00", files[name]]))
    return found


def as_uploaded(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files as an archive of them is read; names that no archive may bring are gone."""
    return dict(read_zip(write_zip(files)))


@st.composite
def packs(draw: st.DrawFn, format_name: str) -> dict[str, bytes]:
    """The files of a pack that began as one of a format."""
    files = dict(draw(st.sampled_from(bases()[format_name])))
    ways = draw(st.sampled_from(["parts", "parts", "changes", "changes", "both", "files"]))
    if ways in ("parts", "both"):
        files = draw(with_new_parts(format_name, files))
    if ways in ("changes", "both"):
        files = draw(with_changes(files))
    if ways == "files":
        files = draw(with_changes(draw(with_other_files(files))))
    return as_uploaded(files)


@st.composite
def edits(draw: st.DrawFn, format_name: str) -> tuple[int, list[tuple[int, dict[str, Any]]]]:
    """A base of a format, and new documents for some of its nodes, each by its place among those that have a schema."""
    adapter, all_bases = adapter_of(format_name), bases()[format_name]
    base = draw(st.integers(0, len(all_bases) - 1))
    pack, _ = adapter.load(all_bases[base])
    assert pack is not None
    nodes = [(address.kind, document) for address, document in pack.nodes() if address.kind in adapter.SCHEMA]
    changes = []
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(nodes) - 1))
        kind, document = nodes[at]
        if draw(st.booleans()):
            changes.append((at, {**document, **draw(fields_of(adapter.SCHEMA[kind]))}))
        else:
            other = draw(otherwise(document))
            changes.append((at, other if isinstance(other, dict) else document))
    return base, changes
