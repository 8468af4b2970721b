"""Tests as they are written beside their results (agentv H.1); see `abilities.Freezer`."""

from packs.formats import yamlio
from packs.formats.agentv.reading import DIALECT, read_yaml
from packs.formats.agentv.settings import DEFAULT_THRESHOLD
from packs.formats.document import Document
from packs.formats.values import listing, mapping


def frozen_suite(test: Document, target: str | None, threshold: float | None) -> Document:
    """A suite of one test, with the target that answered; the usual threshold is left out."""
    stated = {} if threshold in (None, DEFAULT_THRESHOLD) else {"threshold": threshold}
    return {"execution": {"target": target, **stated}, "tests": [test]}


def write_frozen(document: Document) -> bytes:
    return yamlio.write(document, dialect=DIALECT).encode()


def read_frozen(data: bytes) -> Document:
    """The test of a frozen suite; empty for a file that holds none."""
    value, findings = read_yaml(data)
    tests = listing(mapping(value).get("tests"))
    is_sound = not any(finding.is_error for finding in findings)
    return mapping(tests[0]) if is_sound and tests else {}
