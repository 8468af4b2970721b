"""The normal form: trimmed, lower-cased and completed (challenge-pack a.10), and the manifest of a version (f).

The tree keeps what was written. Stored documents, the manifest and tasks are made from normal forms, which hold the
known fields of the right type only; a pack without errors has no others.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from packs.formats.challenge_pack.shapes import BLOCK, NAMED, SHAPES, Shape, has_kind, is_zero
from packs.formats.document import Document, InputSet, NodeKind, Pack

MANIFEST_VERSION = 1

_PART_TEXTS = ("key", "kind", "path", "media_type", "artifact_key", "source")
_SECURITY_LISTS = ("planted_secrets", "forbidden_outputs", "forbidden_egress", "adversarial_prompts")
_LOWERED = ("severity", "location", "strategy", "host")


def typed(shape: Shape, value: Any) -> Any:
    """The known fields of a value; what has a wrong type, and optional fields that stand for "absent", are left out."""
    if not has_kind(shape, value):
        return None
    if shape.kind == BLOCK:
        known = {name: typed(part, value[name]) for name, part in shape.fields.items() if name in value}
        return {name: part for name, part in known.items() if not is_zero(shape.fields[name], part)}
    if shape.item is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        return [part for part in (typed(shape.item, item) for item in value) if part is not None]
    if shape.kind == NAMED:
        named = {name: typed(shape.item, part) for name, part in value.items()}
        return {name: part for name, part in named.items() if part is not None}
    return typed(shape.item, value)


def _known(kind: NodeKind, document: Document) -> Document:
    found: Document = typed(SHAPES[kind], document)
    return found


def _trim(document: Document, names: Iterable[str]) -> Document:
    """A copy with the named texts trimmed; texts that are then empty are left out."""
    found = dict(document)
    for name in names:
        if isinstance(found.get(name), str):
            found[name] = found[name].strip()
            if not found[name]:
                del found[name]
    return found


def _trim_parts(document: Document, names: Iterable[str]) -> None:
    """Trim the inputs, expectations, assets or references in the named lists of a copy."""
    for name in names:
        if name in document:
            document[name] = [_trim(part, _PART_TEXTS) for part in document[name]]


def normal_case(document: Document) -> Document:
    """A case in normal form: both keys filled, `payload` present."""
    found = _trim(_known(NodeKind.CASE, document), ("challenge_key", "case_key", "item_key"))
    key = found.get("case_key") or found.get("item_key") or ""
    normal = {
        "challenge_key": found.get("challenge_key", ""),
        "case_key": key,
        "item_key": found.get("item_key", key),
        "payload": found.get("payload", {}),
    }
    _trim_parts(found, ("inputs", "expectations", "artifacts", "assets"))
    return {**normal, **{name: part for name, part in found.items() if name not in normal}}


def normal_challenge(document: Document) -> Document:
    """A challenge in normal form: `definition` present, with the instructions copied into it."""
    found = _trim(_known(NodeKind.CHALLENGE, document), ("key", "title", "category", "difficulty", "instructions"))
    definition = found.get("definition", {})
    if "instructions" in found and "instructions" not in definition:
        definition = {**definition, "instructions": found["instructions"]}
    _trim_parts(found, ("assets", "artifact_refs"))
    return {**found, "definition": definition}


def normal_asset(document: Document) -> Document:
    """An asset in normal form."""
    return _trim(_known(NodeKind.ASSET, document), _PART_TEXTS)


def normal_pack(document: Document) -> Document:
    """The pack's own document in normal form; the evaluation spec stays as it was authored."""
    found = _trim(_known(NodeKind.PACK, document), ("modality",))
    return found | {name: _NORMAL[name](part) for name, part in found.items() if name in _NORMAL}


def _normal_identity(block: Document) -> Document:
    found = _trim(block, ("slug", "name", "family"))
    return found | {name: found[name].lower() for name in ("family",) if name in found}


def _normal_interface(block: Document) -> Document:
    found = _trim(block, ("channel_profile",))
    return found | {name: _stripped(found[name]) for name in ("transports",) if name in found}


def _stripped(texts: list[str]) -> list[str]:
    return [text.strip() for text in texts]


def _normal_version(block: Document) -> Document:
    found = _trim(block, ("execution_mode",))
    defaults = found.pop("deployment_defaults", {})
    aliases = {name.strip(): selector.strip() for name, selector in defaults.get("aliases", {}).items()}
    lineups = {name.strip(): _stripped(lineup) for name, lineup in defaults.get("lineups", {}).items()}
    stated = {name: part for name, part in (("aliases", aliases), ("lineups", lineups)) if part}
    return {**found, "deployment_defaults": stated} if stated else found


def normal_security(block: Document) -> Document:
    """The security block: every text but the prompts' is trimmed, names of choices and hosts are in lower case."""
    found = dict(block)
    if "default_severity" in found:
        found["default_severity"] = found["default_severity"].strip().lower()
    for name in _SECURITY_LISTS:
        if name in found:
            found[name] = [_security_entry(entry) for entry in found[name]]
    return found


def _security_entry(entry: Document) -> Document:
    found = _trim(entry, [name for name in entry if name != "text"])
    for name in _LOWERED:
        if name in found:
            found[name] = found[name].lower()
    if "allow" in found:
        found["allow"] = [host.strip().lower() for host in found["allow"]]
    return found


_NORMAL: Mapping[str, Callable[[Document], Document]] = {
    "pack": _normal_identity,
    "interface_spec": _normal_interface,
    "scenario": lambda block: _trim(block, ("persona", "language")),
    "security": normal_security,
    "version": _normal_version,
}


def manifest(pack: Pack) -> Document:
    """What a version stores of its pack (challenge-pack f)."""
    own = normal_pack(pack.document)
    version = own.get("version", {})
    optional: Document = {
        name: own[name] for name in ("modality", "interface_spec", "scenario", "tools") if name in own
    }
    if "sandbox" in version:
        optional["sandbox"] = version["sandbox"]
    if "security" in own:
        optional["security"] = own["security"]
    return {
        "schema_version": MANIFEST_VERSION,
        "pack": own.get("pack", {}),
        "version": {
            "number": version.get("number"),
            "assets": [normal_asset(asset.document) for asset in pack.assets],
            **_stated(version),
        },
        "tool_policy": version.get("tool_policy", {}),
        "filesystem": version.get("filesystem", {}),
        "evaluation_spec": version.get("evaluation_spec", {}),
        "challenges": [normal_challenge(challenge.document) for challenge in pack.challenges],
        "input_sets": [_normal_set(input_set) for input_set in pack.input_sets],
        **optional,
    }


def _stated(version: Document) -> Document:
    found: Document = {name: version[name] for name in ("execution_mode", "deployment_defaults") if name in version}
    template = version.get("sandbox", {}).get("sandbox_template_id")
    return {**found, "sandbox_template_id": template} if template else found


def _normal_set(input_set: InputSet) -> Document:
    found = _trim(_known(NodeKind.INPUT_SET, input_set.document), ("key", "name"))
    return {**found, "cases": [normal_case(case.document) for case in input_set.cases]}
