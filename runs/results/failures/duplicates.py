"""Cases of a draft that a failure would repeat: made of the same trial, or asking the same."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from packs.columns import as_stored
from packs.formats.document import Document
from packs.formats.failure import Failure
from packs.formats.provenance import OWN_KEY, find_provenance
from packs.models import Case, Pack

SAME_TRACE, SAME_TEXT = "same_trace", "same_text"
# Shorter texts are alike by chance.
LEAST = 12
# How many cases are named.
MAX_NAMED = 5


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A case that is like the new one; `is_source` marks the very case that failed, which is no duplicate."""

    case: Case
    reason: str
    is_source: bool = False


def duplicates_of(pack: Pack, document: Document, failure: Failure) -> list[Duplicate]:
    """The cases of a draft that were made of the same trial or hold the same request, as far as they are named."""
    found: dict[int, Duplicate] = {}
    for case in holding(pack, failure.trace_ref):
        provenance = find_provenance(case.document)
        if provenance is not None and provenance[1].get("trace") == failure.trace_ref:
            found[case.pk] = Duplicate(case, SAME_TRACE)
    is_home = str(failure.facts.get("version", "")).partition("@")[0] == pack.slug
    asked = request_in(document, failure)
    for case in holding(pack, asked):
        if case.pk not in found and asked in texts_of(case.document):
            found[case.pk] = Duplicate(case, SAME_TEXT, is_home and case.key == failure.case_key)
    return list(found.values())[:MAX_NAMED]


def request_in(document: Document, failure: Failure) -> str:
    """The request as it stands in the new case: its longest text that the agent was told; empty for short ones."""
    reported = [text for text in texts_of(document) if len(text) >= LEAST and text in failure.request]
    return max(reported, key=len, default="")


def holding(pack: Pack, text: str) -> list[Case]:
    """Cases in whose stored document a text stands."""
    if not text:
        return []
    rows = Case.objects.filter(pack=pack, document__contains=as_stored(text)).select_related("pack__team", "input_set")
    return list(rows.order_by("pk")[: 4 * MAX_NAMED])


def texts_of(document: Document) -> set[str]:
    """All texts of a case but those of its provenance."""
    return set(_texts({name: part for name, part in document.items() if name != OWN_KEY}))


def _texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            waiting.extend(inner for name, inner in part.items() if name != "provenance")
        elif isinstance(part, list):
            waiting.extend(part)
