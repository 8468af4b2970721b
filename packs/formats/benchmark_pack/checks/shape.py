"""Rules about the shape of a row and of what its family puts into it (benchmark-pack 3 and 6)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from packs.formats import jsonio
from packs.formats.benchmark_pack.header import Header
from packs.formats.benchmark_pack.rows import LINE, read_closely
from packs.formats.benchmark_pack.schema import SCHEMA
from packs.formats.benchmark_pack.schema.families import EVAL, INPUT
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Rule
from packs.formats.schema.pieces import Schema
from packs.formats.structure import Structure, described

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
    "{name} must be a list of objects; this is {found}.",
    hint='Write for example `"assets": [{{"path": "note.txt"}}]`.',
    rule="ConfigError",
)
NOT_AN_ENTRY = Rule(
    "benchmark_pack.E117",
    "An entry of assets must be an object; this is {found}.",
    hint='Write for example `{{"path": "note.txt"}}`.',
    rule="ConfigError",
)
UNKNOWN_FIELD = Rule(
    "benchmark_pack.E201",
    "{where} has fields that this family does not know: {keys}.",
    hint="{advice}",
    rule="ConfigError",
)
MISSING = Rule(
    "benchmark_pack.E202",
    "{where} is missing: this family needs it.",
    hint="Fill it in; the form of the family shows every field.",
    rule="ConfigError",
)
WRONG_VALUE = Rule(
    "benchmark_pack.E203", "{where} must be {expected}.", hint="Give {expected} here.", rule="ConfigError"
)
TOO_MANY_CHOICES = Rule(
    "benchmark_pack.E522",
    "There are more choices than the 26 letters.",
    hint="Leave some out.",
    rule="too-many-choices",
)
TESTS_NOT_VERIFIABLE = Rule(
    "benchmark_pack.E524",
    "No answer can be verified: {where} must be {expected}.",
    hint="Put the test code into the row: `source: inline`, and the tests as `code`.",
    rule="tests-not-verifiable",
)
ID_REPEATED = Rule(
    "benchmark_pack.E501",
    "An earlier row of this file has the id {key!r} too.",
    hint="Give each row an id of its own: results are found by it, and a run could not be resumed.",
    rule="duplicate-row-id",
)
UNKNOWN_KEY = Rule(
    "benchmark_pack.W110",
    "A row knows no key {name!r}; it is kept, but nothing reads it.",
    hint="{advice}",
    rule="unknown-row-field",
)
UNKNOWN_ASSET_KEY = Rule(
    "benchmark_pack.W111",
    "An asset knows no key {name!r}; the agent sees it, but nothing reads it.",
    hint="{advice}",
    rule="unknown-asset-key",
)
SLIP = Rule(
    "benchmark_pack.W112", "There is no field {name!r} here; it is kept, but nothing reads it.", hint="{advice}"
)

_ROW = SCHEMA[NodeKind.CASE]
_OF_ROWS = {
    "id": BAD_ID,
    "family": BAD_FAMILY,
    "section": NOT_A_SECTION,
    "assets": NOT_A_LIST,
    "asset": NOT_AN_ENTRY,
    "unknown_key": UNKNOWN_KEY,
    "slip": SLIP,
}
_OF_FAMILIES = {
    "additionalProperties": UNKNOWN_FIELD,
    "unknown_asset_key": UNKNOWN_ASSET_KEY,
    "required": MISSING,
    "any": WRONG_VALUE,
    "too_many_choices": TOO_MANY_CHOICES,
    "inline": TESTS_NOT_VERIFIABLE,
}
_ROW_CODES = frozenset(rule.code for rule in _OF_ROWS.values())


def _structure(parts: Schema) -> Structure:
    schema = {**_ROW, "properties": {**_ROW["properties"], **parts}}
    return Structure({word: value for word, value in schema.items() if word != "allOf"}, {**_OF_ROWS, **_OF_FAMILIES})


_SECTION = {"x-rules": {"type": "section"}}
_OTHER = _structure({})
_ROWS: Mapping[str, Structure] = {
    family: _structure({"input": {**INPUT[family], **_SECTION}, "eval": {**EVAL[family], **_SECTION}})
    for family in INPUT
}


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
        yield NOT_AN_OBJECT.at((LINE,), field="line", found=described(value))
    else:
        yield NOT_AN_OBJECT.at((LINE,), field="line", found=f"an object with the reserved key {LINE}")


def check_shape(header: Header, row: Document) -> Iterator[Finding]:
    """The shape of a row and of what its family puts into it; other families than the six hold anything."""
    family = header.family_of(row)
    if not family and row.get("family") is None:
        yield NO_FAMILY.at(("family",), field="row.family")
    structure = _ROWS.get(family, _OTHER)
    if structure is not _OTHER and (row.get("input") is None or row.get("eval") is None):
        row = {**row, **{name: {} for name in ("input", "eval") if row.get(name) is None}}
    for found in structure.examine(row):
        yield replace(found, field=f"row.{found.field_path}") if found.code in _ROW_CODES else found
