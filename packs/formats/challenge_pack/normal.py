"""The normal form: trimmed, lower-cased and completed (challenge-pack a.10), and the manifest of a version (f).

The tree keeps what was written. Stored documents, the manifest and tasks are made from normal forms, which hold the
known fields only. Values of a wrong type are passed through.
"""

from collections.abc import Iterable
from typing import Any

from packs.formats.challenge_pack.reader import trimmed
from packs.formats.challenge_pack.shapes import BLOCK, NAMED, SHAPES, UNION, Shape, is_zero
from packs.formats.document import Document, NodeKind, Pack

MANIFEST_VERSION = 1

_PART_TEXTS = ("key", "kind", "path", "media_type", "artifact_key", "source")
_SECURITY_LISTS = ("planted_secrets", "forbidden_outputs", "forbidden_egress", "adversarial_prompts")
_LOWERED = ("severity", "location", "strategy", "host")


def without_zeros(shape: Shape, value: Any) -> Any:
    """The known fields of a value, without the optional ones that stand for "absent"."""
    if shape.kind == BLOCK and isinstance(value, dict):
        known = {name: without_zeros(shape.fields[name], part) for name, part in value.items() if name in shape.fields}
        return {name: part for name, part in known.items() if not is_zero(shape.fields[name], part)}
    if shape.item is not None and isinstance(value, list):
        return [without_zeros(shape.item, part) for part in value]
    if shape.kind in (NAMED, UNION) and shape.item is not None:
        if shape.kind == NAMED and isinstance(value, dict):
            return {name: without_zeros(shape.item, part) for name, part in value.items()}
        return without_zeros(shape.item, value)
    return value


def _known(kind: NodeKind, document: Document) -> Document:
    found: Document = without_zeros(SHAPES[kind], document)
    return found


def _trim(document: Any, names: Iterable[str]) -> Any:
    """A copy with the named texts trimmed; texts that are then empty are left out."""
    if not isinstance(document, dict):
        return document
    found = dict(document)
    for name in names:
        if isinstance(found.get(name), str):
            found[name] = found[name].strip()
            if not found[name]:
                del found[name]
    return found


def _parts(value: Any) -> Any:
    """A list of inputs, expectations, assets or references, trimmed."""
    return [_trim(part, _PART_TEXTS) for part in value] if isinstance(value, list) else value


def normal_case(document: Document) -> Document:
    """A case in normal form: both keys filled, `payload` present."""
    found = _trim(_known(NodeKind.CASE, document), ("challenge_key", "case_key", "item_key"))
    key = trimmed(found.get("case_key")) or trimmed(found.get("item_key"))
    normal = {
        "challenge_key": trimmed(found.get("challenge_key")),
        "case_key": key,
        "item_key": trimmed(found.get("item_key")) or key,
        "payload": found.pop("payload", {}),
    }
    for name in ("inputs", "expectations", "artifacts", "assets"):
        if name in found:
            found[name] = _parts(found[name])
    return {**normal, **{name: part for name, part in found.items() if name not in normal}}


def normal_challenge(document: Document) -> Document:
    """A challenge in normal form: `definition` present, with the instructions copied into it."""
    found = _trim(_known(NodeKind.CHALLENGE, document), ("key", "title", "category", "difficulty", "instructions"))
    definition = found.pop("definition", {})
    told = trimmed(found.get("instructions"))
    if isinstance(definition, dict) and told:
        definition = {**definition, "instructions": definition.get("instructions", told)}
    for name in ("assets", "artifact_refs"):
        if name in found:
            found[name] = _parts(found[name])
    return {**found, "definition": definition}


def normal_asset(document: Document) -> Document:
    found: Document = _trim(_known(NodeKind.ASSET, document), _PART_TEXTS)
    return found


def normal_pack(document: Document) -> Document:
    """The pack's own document in normal form; the evaluation spec stays as it was authored."""
    found: Document = _trim(_known(NodeKind.PACK, document), ("modality",))
    if "pack" in found:
        found["pack"] = _trim(found["pack"], ("slug", "name", "family"))
        if isinstance(found["pack"], dict) and isinstance(found["pack"].get("family"), str):
            found["pack"] = {**found["pack"], "family": found["pack"]["family"].lower()}
    if "interface_spec" in found:
        found["interface_spec"] = _normal_interface(found["interface_spec"])
    if "scenario" in found:
        found["scenario"] = _trim(found["scenario"], ("persona", "language"))
    if "security" in found:
        found["security"] = normal_security(found["security"])
    if "version" in found:
        found["version"] = _normal_version(found["version"])
    return found


def _normal_interface(value: Any) -> Any:
    found = _trim(value, ("channel_profile",))
    if isinstance(found, dict) and isinstance(found.get("transports"), list):
        found["transports"] = [_stripped(transport) for transport in found["transports"]]
    return found


def _stripped(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _normal_version(value: Any) -> Any:
    found = _trim(value, ("execution_mode",))
    if isinstance(found, dict) and isinstance(found.get("deployment_defaults"), dict):
        found["deployment_defaults"] = _normal_deployment(found["deployment_defaults"])
    return found


def _normal_deployment(block: Document) -> Document:
    found = dict(block)
    if isinstance(found.get("aliases"), dict):
        found["aliases"] = {name.strip(): _stripped(selector) for name, selector in found["aliases"].items()}
    if isinstance(found.get("lineups"), dict):
        found["lineups"] = {
            name.strip(): [_stripped(selector) for selector in lineup] if isinstance(lineup, list) else lineup
            for name, lineup in found["lineups"].items()
        }
    return found


def normal_security(value: Any) -> Any:
    """The security block: every text but the prompts' is trimmed, names of choices and hosts are in lower case."""
    if not isinstance(value, dict):
        return value
    found = dict(value)
    if isinstance(found.get("default_severity"), str):
        found["default_severity"] = found["default_severity"].strip().lower()
    for name in _SECURITY_LISTS:
        if isinstance(found.get(name), list):
            found[name] = [_security_entry(entry) for entry in found[name]]
    return found


def _security_entry(entry: Any) -> Any:
    found = _trim(entry, [name for name in entry if name != "text"]) if isinstance(entry, dict) else entry
    if not isinstance(found, dict):
        return found
    for name in _LOWERED:
        if isinstance(found.get(name), str):
            found[name] = found[name].lower()
    if isinstance(found.get("allow"), list):
        found["allow"] = [host.strip().lower() if isinstance(host, str) else host for host in found["allow"]]
    return found


def manifest(pack: Pack) -> Document:
    """What a version stores of its pack (challenge-pack f)."""
    own = normal_pack(pack.document)
    version = _mapping(own, "version")
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
        "input_sets": [_normal_set(input_set.document, input_set.cases) for input_set in pack.input_sets],
        **optional,
    }


def _mapping(document: Document, name: str) -> Document:
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def _stated(version: Document) -> Document:
    found: Document = {name: version[name] for name in ("execution_mode", "deployment_defaults") if name in version}
    template = _mapping(version, "sandbox").get("sandbox_template_id")
    return {**found, "sandbox_template_id": template} if template else found


def _normal_set(document: Document, cases: Iterable[Any]) -> Document:
    found: Document = _trim(_known(NodeKind.INPUT_SET, document), ("key", "name"))
    return {**found, "cases": [normal_case(case.document) for case in cases]}
