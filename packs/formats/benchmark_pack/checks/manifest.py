"""Rules about the manifest (benchmark-pack 2), in the order in which the format looks at it."""

from collections.abc import Iterator

from packs.formats.benchmark_pack.header import header_of, section
from packs.formats.benchmark_pack.policy import is_below
from packs.formats.benchmark_pack.schema import SCHEMA
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Rule
from packs.formats.paths import path_trouble
from packs.formats.structure import Structure, described

BAD_ID = Rule(
    "benchmark_pack.E101",
    "The id of the pack must be text that is not empty; this is {found}.",
    hint='Write a name, in quotes where it is a number or a word such as yes: `id: "2024"`.',
    rule="ConfigError",
)
BAD_VERSION = Rule(
    "benchmark_pack.E102",
    "The version of the pack must be a whole number; this is {found}.",
    hint="Write it without quotes and without a fraction: `version: 1`.",
    rule="ConfigError",
)
NOT_A_SECTION = Rule(
    "benchmark_pack.E103",
    "{name} must be a mapping; this is {found}.",
    hint="Write one key a line.",
    rule="ConfigError",
)
BAD_DEFAULT_FAMILY = Rule(
    "benchmark_pack.E104",
    "The default family must be text that is not empty.",
    hint="Leave it out, or name the family of most rows.",
    rule="ConfigError",
)
BAD_ROOT = Rule(
    "benchmark_pack.E105",
    "The {name} root {gist}.",
    hint="Name a folder below that of the manifest, such as `assets/`.",
    rule="ConfigError",
)
BAD_READ_ONLY = Rule(
    "benchmark_pack.E106",
    "asset_defaults.read_only must be true or false; this is {found}.",
    hint="Write `true` or `false` without quotes.",
    rule="ConfigError",
)
UNKNOWN_KEY = Rule(
    "benchmark_pack.W101",
    "The manifest knows no key {name!r} here; it is kept, but nothing reads it.",
    hint="{advice}",
    rule="unknown-manifest-field",
)
OVERLAPPING_ROOTS = Rule(
    "benchmark_pack.W102",
    "The public root {public} and the hidden root {hidden} overlap: a row could show agents a hidden file.",
    hint="Use two separate folders.",
    rule="overlapping-asset-roots",
)

UNREADABLE = Rule(
    "benchmark_pack.W103",
    "{name} must be {expected}; this is {found}.",
    hint="Give {expected} here, or rows that take this default cannot be run.",
    rule="unreadable-manifest-value",
)

_STRUCTURE = Structure(
    SCHEMA[NodeKind.PACK],
    {
        "id": BAD_ID,
        "version": BAD_VERSION,
        "section": NOT_A_SECTION,
        "family": BAD_DEFAULT_FAMILY,
        "read_only": BAD_READ_ONLY,
        "environment": UNREADABLE,
        "unknown_key": UNKNOWN_KEY,
        "slip": UNKNOWN_KEY,
    },
)


def check_manifest(document: Document) -> Iterator[Finding]:
    """Every finding about a manifest's own document."""
    yield from _STRUCTURE.examine(document)
    if type(document.get("version")) is float and document["version"].is_integer():
        yield BAD_VERSION.at(("version",), found=described(document["version"]))
    yield from _check_roots(document)
    yield from _check_overlap(document)


def _check_roots(document: Document) -> Iterator[Finding]:
    roots = section(document, "asset_roots")
    for name in ("public", "eval"):
        trouble = path_trouble(roots[name]) if name in roots else ""
        if trouble:
            yield BAD_ROOT.at(("asset_roots", name), name=name, gist=trouble)


def _check_overlap(document: Document) -> Iterator[Finding]:
    header = header_of(document)
    public, hidden = (root.rstrip("/") for root in header.roots)
    if is_below(public, (hidden,)) or is_below(hidden, (public,)):
        yield OVERLAPPING_ROOTS.at(("asset_roots",), public=header.public_root, hidden=header.hidden_root)
