"""Rules about the shape of a row, whatever its family (benchmark-pack 3)."""

from collections.abc import Iterator

from packs.formats import jsonio
from packs.formats.benchmark_pack.checks.manifest import advice_on, said
from packs.formats.benchmark_pack.header import Header
from packs.formats.benchmark_pack.rows import LINE, SECTIONS, read_closely
from packs.formats.benchmark_pack.schema import SCHEMA
from packs.formats.benchmark_pack.schema.nodes import ASSET_ENTRY
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Rule

NOT_JSON = Rule(
    "benchmark_pack.E110",
    "This line cannot be read. {reason}",
    hint="Write one whole JSON object in each line. The line is kept as it is until it is fixed.",
    rule="ConfigError",
)
NOT_AN_OBJECT = Rule(
    "benchmark_pack.E111",
    "A row must be a JSON object; this line holds {found}.",
    hint='Begin the line with {{"id": ...}}. The line is kept as it is until it is fixed.',
    rule="ConfigError",
)
BAD_ID = Rule(
    "benchmark_pack.E112",
    "The id of a row must be text that is not empty; this is {found}.",
    hint="Give each row a name of its own.",
    rule="ConfigError",
)
NO_FAMILY = Rule(
    "benchmark_pack.E113",
    "The row names no family, and the manifest has no default.",
    hint="Name the family here, or under `defaults` in the manifest.",
    rule="ConfigError",
)
BAD_FAMILY = Rule(
    "benchmark_pack.E114",
    "The family must be text that is not empty; this is {found}.",
    hint="Leave it out to take the manifest's default.",
    rule="ConfigError",
)
NOT_A_SECTION = Rule(
    "benchmark_pack.E115",
    "{name} must be an object; this is {found}.",
    hint="Write fields in braces, or leave it out.",
    rule="ConfigError",
)
NOT_A_LIST = Rule(
    "benchmark_pack.E116",
    "assets must be a list of objects; this is {found}.",
    hint='Write for example `"assets": [{{"path": "note.txt"}}]`.',
    rule="ConfigError",
)
NOT_AN_ENTRY = Rule(
    "benchmark_pack.E117",
    "An entry of assets must be an object; this is {found}.",
    hint='Write for example `{{"path": "note.txt"}}`.',
    rule="ConfigError",
)
ID_REPEATED = Rule(
    "benchmark_pack.E501",
    "An earlier row of this file has the id {key!r} too.",
    hint="Give each row an id of its own: results are found by it, and a run could not be resumed.",
    rule="duplicate-row-id",
)
UNKNOWN_KEY = Rule(
    "benchmark_pack.W110",
    "A row knows no key {name}; it is kept, but nothing reads it.",
    hint="{advice}",
    rule="unknown-row-field",
)
UNKNOWN_ASSET_KEY = Rule(
    "benchmark_pack.W111",
    "An asset knows no key {name}; the agent sees it, but nothing reads it.",
    hint="{advice}",
    rule="unknown-asset-key",
)

_ROW = SCHEMA[NodeKind.CASE]
_KNOWN = frozenset(_ROW["properties"])
_ASSET_KEYS = frozenset(ASSET_ENTRY["properties"])


def check_line(row: Document) -> Iterator[Finding]:
    """Why a line is no row."""
    text = row[LINE]
    if not isinstance(text, str) or len(row) > 1:
        yield NOT_AN_OBJECT.at((LINE,), field="line", found="something else beside a line as text")
        return
    value, findings = read_closely(text.encode())
    errors = [finding for finding in findings if finding.is_error and finding.code != jsonio.DUPLICATE_KEY.code]
    if errors:
        yield NOT_JSON.at((LINE,), field="line", reason=errors[0].message)
    elif not isinstance(value, dict):
        yield NOT_AN_OBJECT.at((LINE,), field="line", found=said(value))
    else:
        yield NOT_AN_OBJECT.at((LINE,), field="line", found=f"an object with the reserved key {LINE}")


def check_shape(header: Header, row: Document) -> Iterator[Finding]:
    """The shape of a row, in the order in which the format looks at it."""
    if not isinstance(row.get("id"), str) or not row["id"]:
        yield BAD_ID.at(("id",), field="row.id", found=said(row.get("id")))
    family = row.get("family")
    if family is None and not header.family:
        yield NO_FAMILY.at(("family",), field="row.family")
    elif family is not None and (not isinstance(family, str) or not family):
        yield BAD_FAMILY.at(("family",), field="row.family", found=said(family))
    for name in ("input", "eval", "metadata", "environment"):
        if row.get(name) is not None and not isinstance(row[name], dict):
            yield NOT_A_SECTION.at((name,), field=f"row.{name}", name=name, found=said(row[name]))
    yield from _check_assets(row)
    for name in [name for name in row if name not in _KNOWN]:
        yield UNKNOWN_KEY.at((name,), field=f"row.{name}", name=repr(name), advice=advice_on(name, row, _ROW))


def _check_assets(row: Document) -> Iterator[Finding]:
    assets = row.get("assets")
    if assets is None:
        return
    if not isinstance(assets, list):
        yield NOT_A_LIST.at(("assets",), field="row.assets", found=said(assets))
        return
    for index, entry in enumerate(assets):
        if not isinstance(entry, dict):
            yield NOT_AN_ENTRY.at(("assets", index), field=f"row.assets[{index}]", found=said(entry))
            continue
        for name in [name for name in entry if name not in _ASSET_KEYS]:
            advice = advice_on(name, entry, ASSET_ENTRY)
            yield UNKNOWN_ASSET_KEY.at(
                ("assets", index, name), field=f"assets[{index}].{name}", name=repr(name), advice=advice
            )


def is_shaped(header: Header, row: Document) -> bool:
    """Whether nothing can be said of the shape of a row; quick, for rows as they should be."""
    key, family = row.get("id"), row.get("family", header.family)
    if type(key) is not str or not key or type(family) is not str or not family or not row.keys() <= _KNOWN:
        return False
    return "assets" not in row and all(type(row[name]) is dict for name in SECTIONS if name in row)
