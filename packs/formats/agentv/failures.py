"""A failed trial as a test of a suite."""

from packs.formats.adapter import PackIndex
from packs.formats.agentv.reader import NAME
from packs.formats.document import Document, NodeKind
from packs.formats.failure import Failure
from packs.formats.numbering import free_key
from packs.formats.provenance import sealed
from packs.formats.values import mapping


def case_from_failure(index: PackIndex, failure: Failure, parent: int = 0) -> Document:
    """A test that asks what the failed trial was asked; see `Adapter.case_from_failure`."""
    source = failure.case_in(NAME)
    test = _asked(failure) if source is None else {key: source[key] for key in source if key not in ("id", "$folder")}
    metadata: Document = dict(mapping(test.get("metadata")))
    metadata["provenance"] = sealed(failure.facts)
    return {"id": failure.key or _key(index, failure, parent), **test, "metadata": metadata}


def _key(index: PackIndex, failure: Failure, parent: int) -> str:
    return free_key(index, NodeKind.CASE, failure.replay, parent)


def _asked(failure: Failure) -> Document:
    """A prompt, what should have happened as criteria of a judge, and the gold answer where there is one."""
    forbidden = [f"Must not: {line}" for line in failure.forbidden]
    found: Document = {"input": failure.request}
    if failure.expected or forbidden:
        found = {"criteria": "\n".join([*failure.expected, *forbidden]), **found}
    if failure.reference:
        found["expected_output"] = failure.reference
    if failure.expected or forbidden:
        found["assertions"] = [*failure.expected, *forbidden]
    return found
