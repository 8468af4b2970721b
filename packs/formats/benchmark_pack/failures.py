"""A failed trial as a row of a benchmark pack."""

from typing import Any

from packs.formats.adapter import PackIndex
from packs.formats.benchmark_pack.families import TEXT_FAMILIES
from packs.formats.benchmark_pack.header import header_of
from packs.formats.benchmark_pack.reader import NAME
from packs.formats.document import Document, NodeKind
from packs.formats.failure import Failure
from packs.formats.numbering import free_key
from packs.formats.provenance import sealed

# Longer answers are no short answers: they are looked for in a free response.
MAX_SHORT = 80


def case_from_failure(index: PackIndex, failure: Failure, parent: int = 0) -> Document:
    """A row that asks what the failed trial was asked; see `Adapter.case_from_failure`."""
    source = failure.case_in(NAME)
    row = _asked(index, failure) if source is None else {name: source[name] for name in source if name != "id"}
    stated = row.get("metadata")
    metadata: Document = dict(stated) if isinstance(stated, dict) else {}
    if failure.forbidden:
        metadata["forbidden_behavior"] = list(failure.forbidden)
    metadata["provenance"] = sealed(failure.facts)
    return {"id": failure.key or _key(index, failure, parent), **row, "metadata": metadata}


def _key(index: PackIndex, failure: Failure, parent: int) -> str:
    return free_key(index, NodeKind.CASE, failure.replay, parent)


def _asked(index: PackIndex, failure: Failure) -> Document:
    """A question with the answers that count; several or long ones are looked for in a free response."""
    header = header_of(index.pack)
    is_short = all(len(line) <= MAX_SHORT for line in failure.expected)
    family = "short_answer" if is_short else "free_response"
    body: dict[str, Any] = (
        {"input": {"question": failure.request}, "eval": {"accepted_answers": list(failure.expected)}}
        if is_short
        else {
            "input": {"prompt": failure.request},
            "eval": {"rubric": {"type": "contains_any", "accepted_answers": list(failure.expected)}},
        }
    )
    own = {} if family == header.family and header.family in TEXT_FAMILIES else {"family": family}
    return {**own, **body}
