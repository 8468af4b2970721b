"""Writing: canonical files (benchmark-pack 13), byte-stable."""

from io import BytesIO

from packs.formats import yamlio
from packs.formats.benchmark_pack.header import Header, header_of
from packs.formats.benchmark_pack.reader import MANIFEST
from packs.formats.benchmark_pack.rows import in_order, ordered, tidy, write_row
from packs.formats.benchmark_pack.schema import SCHEMA
from packs.formats.document import Document, InputSet, NodeKind, Pack
from packs.formats.schema.pieces import Schema


def dump(pack: Pack) -> dict[str, bytes]:
    """The canonical files of a pack; see `Adapter.dump`. A file whose bytes nobody has cannot be among them."""
    header = header_of(pack.document)
    files = {MANIFEST: yamlio.write(canonical(NodeKind.PACK, pack.document), dialect=yamlio.YAML_11).encode()}
    for input_set in pack.input_sets:
        files[input_set.key] = _rows(input_set, header)
    beside = {file.path: file.content for file in pack.files}
    beside |= {asset.path: asset.content for asset in pack.assets if asset.content is not None}
    return {**{name: beside[name] for name in sorted(beside)}, **files}


def _rows(input_set: InputSet, header: Header) -> bytes:
    write, family_of = write_row, header.family_of
    found = BytesIO()
    found.writelines(write(case.document, family_of(case.document)) for case in input_set.cases)
    return found.getvalue()


def dump_node(kind: NodeKind, document: Document) -> str:
    """The canonical text of one node's document: YAML for rows too, where long texts can be read."""
    return yamlio.write(canonical(kind, document), dialect=yamlio.YAML_11)


def canonical(kind: NodeKind, document: Document) -> Document:
    """A document with its keys in canonical order."""
    if kind is NodeKind.CASE:
        family = document.get("family")
        return ordered(tidy(document), family if isinstance(family, str) else "")
    return _in_schema_order(SCHEMA[kind], document)


def _in_schema_order(schema: Schema, document: Document) -> Document:
    """Known keys in the order of the schema, sections included; environments keep the author's order."""
    parts = schema["properties"]
    found = in_order(document, parts)
    for name, part in parts.items():
        if name != "environment" and "properties" in part and isinstance(found.get(name), dict):
            found[name] = _in_schema_order(part, found[name])
    return found
