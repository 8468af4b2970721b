"""What a format has that says nothing of a subject; `parts_of(__name__, plain="ROOMS lineage")` takes names from here.

`packs.formats.adapter.Adapter` says what each of them means.
"""

from collections.abc import Container, Iterator, Mapping

from packs.formats.adapter import Above
from packs.formats.document import Case, Document, NodeKind, Pack
from packs.formats.findings import Finding, Path

EVALUATION_POINTER = FIXTURES = GATES_POINTER = VERSION_POINTER = ""
FAILURES_IN: Document | None = None
REFERRERS: Mapping[str, tuple[NodeKind, ...]] = {}
ROOMS: tuple[frozenset[str], ...] = ()
SHARED_POINTERS: tuple[str, ...] = ()


def check_artifacts(pack: Pack, known: Container[str]) -> Iterator[Finding]:
    """No finding: no stored files are named by their ids."""
    return iter(())


def is_fixed(what: str, name: str) -> bool:
    """No: no name has a meaning of its own."""
    return False


def lineage(document: Document) -> dict[str, str]:
    """Nothing: all that a pack states may change from version to version."""
    return {}


def renamed(kind: NodeKind, document: Document, what: str, names: Mapping[str, str], above: Above) -> Document:
    """The document itself: it names nothing."""
    return document


def stored_document(case: Case) -> Document:
    """The case's own document."""
    return case.document


def stored_files(kind: NodeKind, document: Document) -> Iterator[tuple[Path, str]]:
    """None: files are named by their paths."""
    return iter(())


def version_number(pack: Pack) -> int | None:
    """None: a pack states no number of its version."""
    return None
