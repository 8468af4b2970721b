"""What a task wants measured of its trials (task-suite 5)."""

from collections.abc import Iterator, Mapping
from typing import Any

from packs.formats.document import Document
from packs.formats.task import Tracking
from packs.formats.values import listing, mapping


def tracking_of(document: Document, budgets: Mapping[str, float], secrets: Mapping[str, str]) -> Tracking:
    """The fields of all tracked metrics, each once, with what they are measured against."""
    return Tracking(
        fields=tuple(dict.fromkeys(_fields(document))),
        inputs=mapping(document.get("inputs")),
        budgets=dict(budgets),
        secrets=dict(secrets),
        reference=tuple(_reference(document)),
    )


def _fields(document: Document) -> Iterator[str]:
    for metric in map(mapping, listing(document.get("tracked_metrics"))):
        named: list[Any] = listing(metric.get("fields")) or listing(metric.get("metrics"))
        yield from (name for name in named if isinstance(name, str))


def _reference(document: Document) -> list[str]:
    """The tools of a good trial: of the first grader that states them."""
    for grader in map(mapping, listing(document.get("graders"))):
        stated = [name for name in listing(grader.get("reference")) if isinstance(name, str)]
        if stated:
            return stated
    return []
