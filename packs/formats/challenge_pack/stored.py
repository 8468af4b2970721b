"""Stored documents: what a published case is stored as (challenge-pack b.3)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from packs.formats.challenge_pack.normal import normal_case, without_zeros
from packs.formats.challenge_pack.shapes import SHAPES, ordered
from packs.formats.document import Case, Document, NodeKind

SCHEMA_VERSION = 1

# A case with any of these is more than its payload (challenge-pack b.2); empty ones count as absent.
BEYOND_PAYLOAD = ("inputs", "expectations", "user_simulator", "artifacts", "assets", "case_timeout_seconds")

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "inputs": ("key", "kind", "value", "artifact_key", "path"),
    "expectations": ("key", "kind", "value", "artifact_key", "source"),
    "artifacts": ("key",),
    "assets": ("key", "kind", "path", "media_type", "artifact_id"),
}
_ALWAYS: Mapping[str, tuple[str, ...]] = {
    "inputs": ("key", "kind"),
    "expectations": ("key", "kind"),
    "artifacts": ("key",),
    "assets": ("key", "path"),
}
# Integral numbers below this size are written without exponent by Go's JSON encoder.
_PLAIN_LIMIT = 1e21


def is_payload_only(document: Document) -> bool:
    """The legacy test (challenge-pack b.2). A user simulator counts even when it is empty."""
    if "user_simulator" in document and document["user_simulator"] is not None:
        return False
    return not any(document.get(name) for name in BEYOND_PAYLOAD)


def stored_document(case: Case) -> Document:
    """What a published case is stored as; see `Adapter.stored_document`."""
    payload = case.document.get("payload")
    payload = as_json(payload) if isinstance(payload, dict) else {}
    if is_payload_only(case.document):
        return payload
    normal = normal_case(case.document)
    found: Document = {"schema_version": SCHEMA_VERSION, "case_key": normal["case_key"]}
    if payload:
        found["payload"] = payload
    for name in ("inputs", "expectations"):
        _store_list(found, normal, name)
    if isinstance(normal.get("user_simulator"), dict):
        found["user_simulator"] = as_json(_simulator(normal["user_simulator"]))
    for name in ("artifacts", "assets"):
        _store_list(found, normal, name)
    if normal.get("case_timeout_seconds"):
        found["case_timeout_seconds"] = normal["case_timeout_seconds"]
    return found


def _store_list(found: Document, normal: Document, name: str) -> None:
    entries = [entry for entry in normal.get(name) or () if isinstance(entry, dict)]
    if entries:
        found[name] = [_entry(entry, name) for entry in entries]


def _entry(entry: Document, name: str) -> Document:
    stored: Document = {}
    for field in _FIELDS[name]:
        value = entry.get(field)
        if field in _ALWAYS[name]:
            stored[field] = "" if value is None else value
        elif field == "value" and value is not None:
            stored[field] = as_json(value)
        elif value:
            stored[field] = _plain_uuid(value) if field == "artifact_id" else value
    return stored


def _plain_uuid(value: Any) -> Any:
    try:
        return str(UUID(value)) if isinstance(value, str) else value
    except ValueError:
        return value


def _simulator(document: Document) -> Any:
    """The simulator's known fields in order, as written; zero values of optional fields are left out."""
    shape = SHAPES[NodeKind.CASE].fields["user_simulator"]
    return without_zeros(shape, ordered(shape, document))


def as_json(value: Any) -> Any:
    """A value as JSON stores it: a number without fraction is a whole number (challenge-pack a.1)."""
    kind = type(value)
    if kind is dict:
        return {name: as_json(part) for name, part in value.items()}
    if kind is list:
        return [as_json(part) for part in value]
    if kind is float and value.is_integer() and abs(value) < _PLAIN_LIMIT:
        return int(value)
    return value


def read_stored(document: Document) -> Document:
    """A stored value read back: always with `payload`, and wrapped only where it was stored so (challenge-pack b.3)."""
    version = document.get("schema_version")
    if isinstance(version, int) and not isinstance(version, bool) and version != 0:
        payload = document.get("payload")
        return {**document, "payload": payload if isinstance(payload, dict) else {}}
    return {"payload": document}
