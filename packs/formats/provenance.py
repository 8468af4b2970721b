"""Where a case comes from that was made of a failed trial: facts that are written once and then only read.

They stand in the case's document: under `x-provenance`, or under `metadata.provenance` in formats with a place for
facts of people. A seal over them tells later changes; forms show them and do not offer them for editing.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from packs.formats.canonical_json import canonical_json
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule, from_pointer, to_pointer
from packs.formats.later import Later

if TYPE_CHECKING:
    import hashlib
else:
    # It brings OpenSSL.
    hashlib = Later("hashlib")

OWN_KEY = "x-provenance"
SEAL, HOLDS = "seal", "holds"
_PLACES: tuple[Path, ...] = ((OWN_KEY,), ("metadata", "provenance"))

CHANGED = Rule(
    "provenance.W001",
    "The facts about where this case comes from were changed after they were recorded.",
    hint="Undo the change, or remove the provenance as a whole if the case no longer has to do with that trial.",
)


def sealed(facts: Mapping[str, Any], holds: Mapping[str, Any] | None = None) -> Document:
    """Facts with their seal. `holds` are values elsewhere in the document, by JSON Pointer, that belong to them."""
    kept = {**facts, **({HOLDS: dict(holds)} if holds else {})}
    return {**kept, SEAL: _seal(kept)}


def _seal(facts: Mapping[str, Any]) -> str:
    return f"sha256:{hashlib.sha256(canonical_json(facts)).hexdigest()}"


def find_provenance(document: Document) -> tuple[Path, Document] | None:
    """Where the provenance of a case stands in its document, and the facts; None for a case without."""
    for path in _PLACES:
        found = _value(document, path)
        if isinstance(found, dict) and (path == (OWN_KEY,) or SEAL in found):
            return path, found
    return None


def locked_pointers(document: Document) -> frozenset[str]:
    """The JSON Pointers of values that forms do not offer for editing, because the provenance stands in them."""
    found = find_provenance(document)
    if found is None:
        return frozenset()
    path, facts = found
    return frozenset({to_pointer(path), *_held(facts)})


def check_provenance(document: Document) -> Iterator[Finding]:
    """The finding about provenance that is not what was recorded."""
    found = find_provenance(document)
    if found is None:
        return
    path, facts = found
    if not _is_intact(facts):
        yield CHANGED.at(path)
        return
    for pointer, value in _held(facts).items():
        steps = from_pointer(pointer)
        if _value(document, steps) != value:
            yield CHANGED.at(steps)


def _held(facts: Document) -> Document:
    stated = facts.get(HOLDS)
    known = stated if isinstance(stated, dict) else {}
    return {pointer: value for pointer, value in known.items() if pointer.startswith("/")}


def _is_intact(facts: Document) -> bool:
    try:
        return facts.get(SEAL) == _seal({name: value for name, value in facts.items() if name != SEAL})
    except (TypeError, RecursionError):
        return False


def _value(document: Any, path: Path) -> Any:
    for step in path:
        document = document.get(step) if isinstance(document, dict) else None
    return document
