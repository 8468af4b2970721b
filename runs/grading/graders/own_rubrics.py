"""Rubrics that people write: from what they state to aspects, and to the document that is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from packs.formats.characters import storable
from runs.grading.graders.reviews import NO, YES, Aspect, Kind, Rubric, Unreadable
from runs.grading.graders.rubrics import BEST

MAX_ASPECTS = 20
MAX_NAME = 80
MAX_HELP = 4000
MAX_LABELS = 20
# Digits choose a number of a scale.
LARGEST = 9


def read_rubric(rows: Sequence[Mapping[str, Any]]) -> Rubric:
    """A rubric as people state it: name, kind, text, least and best or labels, passes_from or passing of each aspect.

    Raises Unreadable.
    """
    if not 1 <= len(rows) <= MAX_ASPECTS:
        raise Unreadable(f"State 1 to {MAX_ASPECTS} aspects to score.")
    aspects = tuple(map(read_aspect, rows))
    names = [aspect.name for aspect in aspects]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Unreadable(f"Two aspects have the name {twice!r}.")
    return Rubric(aspects)


def rubric_of(documents: Sequence[Mapping[str, Any]]) -> Rubric:
    """A rubric that was kept."""
    return Rubric(tuple(map(_aspect_of, documents)))


def document_of(rubric: Rubric) -> list[dict[str, Any]]:
    """A rubric, to be kept."""
    return [asdict(aspect) for aspect in rubric.aspects]


def _aspect_of(document: Mapping[str, Any]) -> Aspect:
    lists = {name: tuple(document[name]) for name in ("labels", "passing")}
    return Aspect(**{**document, **lists, "kind": Kind(document["kind"])})


def read_aspect(row: Mapping[str, Any]) -> Aspect:
    """One aspect. Raises Unreadable."""
    name, text = (storable(str(row.get(part) or "")).strip() for part in ("name", "text"))
    if not name or len(name) > MAX_NAME:
        raise Unreadable(f"Name each aspect in at most {MAX_NAME} characters.")
    if len(text) > MAX_HELP:
        raise Unreadable(f"Say what {name!r} means in at most {MAX_HELP:,} characters.")
    kind = row.get("kind") or Kind.YES_NO
    if kind not in set(Kind):
        raise Unreadable(f"{kind!r} is not a kind of aspect. Use one of: {', '.join(Kind)}.")
    kind = Kind(kind)
    least, best = _ends(name, row) if kind is Kind.SCALE else (0, BEST)
    labels = _labels(name, row) if kind is Kind.LABEL else ()
    known = (YES, NO) if kind is Kind.YES_NO else labels
    return Aspect(
        name,
        name,
        text,
        kind,
        least,
        best,
        labels,
        _threshold(name, kind, row, least, best),
        _passing(name, row, known),
    )


def _ends(name: str, row: Mapping[str, Any]) -> tuple[int, int]:
    least, best = row.get("least"), row.get("best")
    least, best = (0 if least is None else least), (BEST if best is None else best)
    if not (type(least) is type(best) is int and 0 <= least < best <= LARGEST):
        raise Unreadable(f"Let the scale of {name!r} go from a whole number up to another, within 0 to {LARGEST}.")
    return least, best


def _labels(name: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    labels = tuple(dict.fromkeys(storable(str(label)).strip()[:MAX_NAME] for label in row.get("labels") or ()))
    if not 2 <= len(labels) <= MAX_LABELS or "" in labels:
        raise Unreadable(f"Give {name!r} 2 to {MAX_LABELS} labels to choose from.")
    return labels


def _threshold(name: str, kind: Kind, row: Mapping[str, Any], least: int, best: int) -> int | None:
    value = row.get("passes_from")
    if value is None or kind is not Kind.SCALE:
        return None
    if type(value) is not int or not least <= value <= best:
        raise Unreadable(f"A trial can pass from a number of the scale of {name!r}, {least} to {best}.")
    return value


def _passing(name: str, row: Mapping[str, Any], known: Sequence[str]) -> tuple[str, ...]:
    passing = tuple(row.get("passing") or ())
    if known and not set(passing) <= set(known):
        raise Unreadable(f"What passes in {name!r} must be among: {', '.join(known)}.")
    return passing if known else ()
