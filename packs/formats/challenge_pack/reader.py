"""Reading: files to a tree (challenge-pack a.1), without normalising what the author wrote."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from packs.formats import yamlio
from packs.formats.adapter import Files
from packs.formats.challenge_pack.keys import identify
from packs.formats.challenge_pack.shapes import SHAPES
from packs.formats.challenge_pack.structure import examine
from packs.formats.challenge_pack.tidying import Tidying, tidied
from packs.formats.challenge_pack.values import NAME, content_name
from packs.formats.document import Asset, Case, Challenge, Document, File, InputSet, NodeKind, Pack
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import trimmed

PACK_FILE = "pack.yaml"
# Used instead when another file of the pack is called PACK_FILE.
SPARE_NAME = "challenge-pack.yaml"
MAIN_FILES = (PACK_FILE, SPARE_NAME)

EMPTY = Rule("challenge_pack.E001", "The pack file is empty.", hint="Start with `pack:` and `version:`.", rule="D1")
NOT_A_MAPPING = Rule(
    "challenge_pack.E002",
    "A pack is a mapping with the keys pack, version and challenges; this is {found}.",
    hint="Begin the lines of the top level with `pack:`, `version:`, `challenges:` and `input_sets:`.",
    rule="D2",
)
NO_PACK_FILE = Rule(
    "challenge_pack.E008",
    "None of these files is a challenge pack: {names}.",
    hint="Add a YAML file with the keys pack, version and challenges.",
)
SEVERAL_PACK_FILES = Rule(
    "challenge_pack.E009",
    "Several files could be the pack: {names}.",
    hint=f"Keep one pack in a folder, or call the one to read {PACK_FILE}.",
)
OUTSIDE = Rule(
    "challenge_pack.W002",
    "The file {name} lies outside the pack's folder {folder} and is left out.",
    hint="Move it into the folder of the pack file.",
)
ITEMS_IGNORED = Rule(
    "challenge_pack.W003",
    "The old list `items` is left out, because this set has `cases`.",
    hint="Move what you still need from `items` to `cases`.",
)
ITEM_KEY_IGNORED = Rule(
    "challenge_pack.W004",
    "`{name}` means nothing in the old list `items` and is left out.",
    hint="Rename `items` to `cases` and `item_key` to `case_key` to use it.",
)

ITEM_FIELDS = ("challenge_key", "item_key", "payload", "assets")
_TOP_KEY = re.compile(rb"""^(?:\xef\xbb\xbf)?[{ \t]*["']?(pack|version|challenges|input_sets)["']?[ \t]*:""", re.M)
_OLD_MARK = re.compile(rb"^version:\s*challenge_pack/", re.M)
_SUFFIXES = (".yaml", ".yml", ".json")

# What a blank item of a list can look like; a text that only looks like one costs a little time.
_BLANK_ITEM = re.compile(rb"-[ \t]*(?:#.*)?$|~|null|Null|NULL|[\[,]\s*[,\]]", re.M)
_ODD_NUMBER = re.compile(rb"(?<![\w.-])(?:-0|-?0[0-9_xXoObB])|\+[0-9]|[0-9+-]_")


def recognises(files: Files) -> bool:
    """Whether one of the files looks like a challenge pack."""
    return bool(_candidates(files))


def _looks_like_a_pack(content: bytes) -> bool:
    content = yamlio.plain_bytes(content)
    keys = set(_TOP_KEY.findall(content))
    if content.lstrip()[:1] == b"{":
        keys |= {name for name in (b"pack", b"version", b"challenges") if b'"' + name + b'"' in content}
    is_pack = b"pack" in keys and bool(keys & {b"version", b"challenges"}) and b"evaluation_spec" in content
    return is_pack or {b"pack", b"challenges"} <= keys or _OLD_MARK.search(content) is not None


def _candidates(files: Files) -> list[str]:
    """The files that look like a pack, those nearest to the root only."""
    found = [name for name, content in files.items() if name.endswith(_SUFFIXES) and _looks_like_a_pack(content)]
    depth = min((name.count("/") for name in found), default=0)
    return [name for name in found if name.count("/") == depth]


def pack_file(files: Files) -> tuple[str, list[Finding]]:
    """The name of the pack file among the files; empty, with a finding, when it cannot be known."""
    if len(files) == 1:
        return next(iter(files)), []
    found = _candidates(files) or [name for name in files if name in (PACK_FILE, SPARE_NAME)]
    for wanted in (SPARE_NAME, PACK_FILE):
        named = [name for name in found if name.rpartition("/")[2] == wanted]
        if len(named) == 1:
            return named[0], []
    if len(found) == 1:
        return found[0], []
    rule, names = (SEVERAL_PACK_FILES, found) if found else (NO_PACK_FILE, list(files))
    return "", [rule.at((), names=", ".join(sorted(names)[:10]) or "there are none")]


def load(files: Files) -> tuple[Pack | None, list[Finding]]:
    """Read a pack file and the files beside it; see `Adapter.load`."""
    name, findings = pack_file(files)
    if findings:
        return None, findings
    root, findings = read_root(files[name], name)
    if root is None:
        return None, findings
    tidying = Tidying(is_plain=_spells_plainly(files[name]))
    pack = _build(root, tidying)
    if tidying.wanted:
        tidying = Tidying(written=yamlio.locate(files[name], tidying.wanted))
        pack = _build(root, tidying)
    findings += yamlio.place_in(files[name], name, tidying.findings)
    beside, outside = _beside(files, name)
    return _with_contents(pack, beside), findings + outside


def _spells_plainly(data: bytes) -> bool:
    """Whether no whole number can be written otherwise than JSON writes it: with a sign, zeros, a base or groups.

    What only looks like one, as in a text, counts too; text that is not UTF-8 is not looked into.
    """
    return b"\0" not in data and _ODD_NUMBER.search(data) is None


def read_root(data: bytes, name: str) -> tuple[Document | None, list[Finding]]:
    """The mapping at the top of a pack file; None with an error finding when there is none."""
    root, found = yamlio.read(data, file=name, dialect=yamlio.GO_YAML)
    findings = [replace(finding, rule=finding.rule or "D2") if finding.is_error else finding for finding in found]
    if isinstance(root, dict):
        return root, findings
    if not any(finding.is_error for finding in findings):
        trouble = EMPTY.at((), field="bundle") if root in (None, "") else NOT_A_MAPPING.at((), found=_said(root))
        findings.append(replace(trouble, file=name, line=1, column=1))
    return None, findings


def _said(value: Any) -> str:
    return "a list" if isinstance(value, list) else "a single value"


def is_node_list(value: Any) -> bool:
    """Whether a value can be a list of nodes; a null among them is dropped."""
    return type(value) is list and all(type(item) is dict or item is None for item in value)


def _build(root: Document, tidying: Tidying) -> Pack:
    """The tree of a file's root. Lists of nodes that are none stay in the document of their owner."""
    own, challenges = _split(tidying, root, "challenges")
    own, sets = _split(tidying, own, "input_sets")
    version, assets = _split(tidying, own.get("version"), "assets", ("version",))
    if isinstance(version, dict):
        own = {**own, "version": version}
    document = tidying.tidy(SHAPES[NodeKind.PACK], own)
    return Pack(
        format=NAME,
        key=identify(NodeKind.PACK, document)[0],
        document=document,
        challenges=tuple(read_challenge(tidying, item, ("challenges", i)) for i, item in challenges),
        input_sets=tuple(_read_set(tidying, item, ("input_sets", i)) for i, item in sets),
        assets=tuple(_read_asset(tidying, item, ("version", "assets", i)) for i, item in assets),
    )


def _split(tidying: Tidying, owner: Any, name: str, path: Path = ()) -> tuple[Any, list[tuple[int, Document]]]:
    """An owner's document without a list of nodes, and the nodes with their places in the file."""
    if not isinstance(owner, dict) or name not in owner:
        return owner, []
    value = owner[name]
    if value is not None and not is_node_list(value):
        return owner, []
    rest = {key: part for key, part in owner.items() if key != name}
    return rest, list(tidying.kept(SHAPES[NodeKind.CASE], value or [], (*path, name)))


def read_challenge(tidying: Tidying, value: Document, path: Path) -> Challenge:
    document = settle(NodeKind.CHALLENGE, tidying.tidy(SHAPES[NodeKind.CHALLENGE], value, path))
    return Challenge(identify(NodeKind.CHALLENGE, document)[0], document)


def _read_asset(tidying: Tidying, value: Document, path: Path) -> Asset:
    document = tidying.tidy(SHAPES[NodeKind.ASSET], value, path)
    return Asset(identify(NodeKind.ASSET, document)[0], trimmed(document.get("path")), document)


def _read_set(tidying: Tidying, value: Document, path: Path) -> InputSet:
    own, cases = _split(tidying, value, "cases", path)
    name = "cases"
    if not cases and "cases" not in own:
        own, cases = _split(tidying, own, "items", path)
        name = "items"
    if name == "cases" and is_node_list(own.get("items")):
        tidying.findings += _ignored_items(own["items"], (*path, "items"))
        own = {key: part for key, part in own.items() if key != "items"}
    document = tidying.tidy(SHAPES[NodeKind.INPUT_SET], own, path)
    shape = SHAPES[NodeKind.CASE]
    is_clean = shape.is_clean
    found = []
    for index, item in cases:
        if name == "items":
            item = _item_to_case(tidying, item, (*path, name, index))
        if not is_clean(item):
            item = tidying.tidy(shape, item, (*path, name, index))
        found.append(case_node(item))
    return InputSet(identify(NodeKind.INPUT_SET, document)[0], document, tuple(found))


def _ignored_items(items: list[Document | None], path: Path) -> Iterator[Finding]:
    """What is said of a list `items` beside `cases`: it is left out, and yet its fields must have their types."""
    yield ITEMS_IGNORED.at(path)
    for index, item in enumerate(items):
        known = {name: part for name, part in tidied(SHAPES[NodeKind.CASE], item or {}).items() if name in ITEM_FIELDS}
        yield from (finding.below((*path, index)) for finding in examine(NodeKind.CASE, known) if finding.rule == "D2")


def dropped_in(data: bytes) -> dict[Path, list[int]]:
    """The places of the blank items that reading a file leaves out, by the paths of their lists in the file."""
    tidying = Tidying()
    root = yamlio.read(data, dialect=yamlio.GO_YAML)[0] if _BLANK_ITEM.search(yamlio.plain_bytes(data)) else None
    if isinstance(root, dict):
        _build(root, tidying)
    return tidying.dropped


def _item_to_case(tidying: Tidying, item: Document, path: Path) -> Document:
    """An item without the fields that only cases have: upstream does not read them there."""
    ignored = [name for name in item if name in SHAPES[NodeKind.CASE].fields and name not in ITEM_FIELDS]
    tidying.findings += [ITEM_KEY_IGNORED.at((*path, name), name=name) for name in ignored]
    return {name: part for name, part in item.items() if name not in ignored}


def case_node(tidy: Document) -> Case:
    """The case of a tidy document."""
    document = settle(NodeKind.CASE, tidy)
    return Case(*identify(NodeKind.CASE, document), document)


def settle(kind: NodeKind, document: Document) -> Document:
    """Leave out what the document says twice: the item key (challenge-pack b.1) and copied instructions (a.10)."""
    if kind is NodeKind.CASE and "item_key" in document:
        return _settle_keys(document)
    if kind is NodeKind.CHALLENGE and "definition" in document:
        return _settle_definition(document)
    return document


def _settle_keys(document: Document) -> Document:
    key, item_key = document.get("case_key", ""), document["item_key"]
    if not isinstance(item_key, str) or not isinstance(key, str):
        return document
    if key.strip() and item_key.strip() and key.strip() != item_key.strip():
        return document
    rest = {name: part for name, part in document.items() if name not in ("case_key", "item_key")}
    return {**rest, "case_key": key if key.strip() else item_key}


def _settle_definition(document: Document) -> Document:
    definition, reported = document["definition"], document.get("instructions")
    if not isinstance(definition, dict) or not isinstance(reported, str) or not reported.strip():
        return document
    if definition.get("instructions") != reported.strip():
        return document
    rest = {name: part for name, part in definition.items() if name != "instructions"}
    settled = {**document, "definition": rest}
    if not rest:
        del settled["definition"]
    return settled


def _beside(files: Files, name: str) -> tuple[dict[str, bytes], list[Finding]]:
    """The other files, named from the folder of the pack file, and a finding for each that lies outside of it."""
    folder = name.rpartition("/")[0]
    start = f"{folder}/" if folder else ""
    inside = {other[len(start) :]: data for other, data in files.items() if other != name and other.startswith(start)}
    outside = [OUTSIDE.at((), name=other, folder=folder) for other in files if not other.startswith(start)]
    return inside, outside


def _with_contents(pack: Pack, beside: Mapping[str, bytes]) -> Pack:
    if not beside:
        return pack
    names = {content_name(asset.path) for asset in pack.assets}
    assets = tuple(replace(asset, content=beside.get(content_name(asset.path))) for asset in pack.assets)
    files = tuple(File(name, data) for name, data in sorted(beside.items()) if name not in names)
    return replace(pack, assets=assets, files=files)


def read_node(kind: NodeKind, text: str) -> tuple[Any, list[Finding]]:
    """Read one node's document from text; the value is whatever the text holds."""
    value, findings = yamlio.read(text, file="", dialect=yamlio.GO_YAML)
    if not isinstance(value, dict):
        return value, findings
    shape = SHAPES[kind]
    tidying = Tidying()
    document = tidying.tidy(shape, value)
    if tidying.wanted:
        tidying = Tidying(written=yamlio.locate(text, tidying.wanted))
        document = tidying.tidy(shape, value)
    return settle(kind, document), findings + yamlio.place_in(text, "", tidying.findings)
