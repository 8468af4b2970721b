"""Stored documents: what a published case is stored as (challenge-pack b.3)."""

from typing import Any
from uuid import UUID

from packs.formats.challenge_pack.normal import normal_case
from packs.formats.challenge_pack.schema.parts import asset, asset_references, case_input, expectation
from packs.formats.document import Case, Document

SCHEMA_VERSION = 1

# A case with any of these is more than its payload (challenge-pack b.2); empty ones count as absent.
BEYOND_PAYLOAD = ("inputs", "expectations", "artifacts", "assets", "case_timeout_seconds")

# The entries of a case's lists: their schemas give the order of the fields, and those that are always there.
_LISTS = {
    "inputs": case_input(),
    "expectations": expectation(),
    "artifacts": asset_references("", "", "")["items"],
    "assets": asset(),
}
# Larger whole numbers do not fit into 64 bits and stay floats, which are the same number.
_LOWEST, _LIMIT = -(2**63), 2**64


def is_payload_only(normal: Document) -> bool:
    """The legacy test (challenge-pack b.2) on a case in normal form. A user simulator counts even when it is empty."""
    return "user_simulator" not in normal and not any(normal.get(name) for name in BEYOND_PAYLOAD)


def stored_document(case: Case) -> Document:
    """What a published case is stored as; see `Adapter.stored_document`."""
    return stored_form(normal_case(case.document))


def stored_form(normal: Document) -> Document:
    """The stored document of a case in normal form."""
    payload: Document = as_json(normal["payload"])
    if is_payload_only(normal):
        return payload
    found: Document = {"schema_version": SCHEMA_VERSION, "case_key": normal["case_key"]}
    if payload:
        found["payload"] = payload
    for name in ("inputs", "expectations"):
        _store_list(found, normal, name)
    if "user_simulator" in normal:
        found["user_simulator"] = as_json(normal["user_simulator"])
    for name in ("artifacts", "assets"):
        _store_list(found, normal, name)
    if normal.get("case_timeout_seconds"):
        found["case_timeout_seconds"] = normal["case_timeout_seconds"]
    return found


def _store_list(found: Document, normal: Document, name: str) -> None:
    if normal.get(name):
        found[name] = [_entry(entry, name) for entry in normal[name]]


def _entry(entry: Document, name: str) -> Document:
    stored: Document = {}
    for field in _LISTS[name]["properties"]:
        value = entry.get(field)
        if field in _LISTS[name]["required"]:
            stored[field] = value or ""
        elif field == "value" and value is not None:
            stored[field] = as_json(value)
        elif value:
            stored[field] = _plain_uuid(value) if field == "artifact_id" else value
    return stored


def _plain_uuid(value: str) -> str:
    try:
        return str(UUID(value.lower()))
    except ValueError:
        return value


def as_json(value: Any) -> Any:
    """A value as JSON stores it: a number without fraction is a whole number (challenge-pack a.1)."""
    kind = type(value)
    if kind is dict:
        return {name: as_json(part) for name, part in value.items()}
    if kind is list:
        return [as_json(part) for part in value]
    if kind is float and value.is_integer() and _LOWEST <= value < _LIMIT:
        return int(value)
    return value
