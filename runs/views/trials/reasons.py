"""What a scorecard says beside its tables: nothing that the same page says already."""

from collections.abc import Iterator, Mapping
from typing import Any


def reasons_left(card: Mapping[str, Any], error: str) -> dict[str, Any]:
    """The reasons of a scorecard that are left to say on a page with the error of its trial and all its tables."""
    reported = set(described_by_tables(card))
    overall, validity = card.get("overall_reason", ""), card.get("validity_reason", "")
    return {
        "overall": "" if overall in error else overall,
        "validity": "" if validity in reported or validity in error else validity,
        "warnings": [warning for warning in card.get("warnings", ()) if warning not in reported],
    }


def described_by_tables(card: Mapping[str, Any]) -> Iterator[str]:
    """What the rows of dimensions, graders and metrics say, in the words in which scoring sums it up."""
    for key, shown in card.get("dimensions", {}).items():
        yield f"dimension {key!r}: {shown.get('reason')}"
    for shown in card.get("validator_details", ()):
        yield f"grader {shown['key']!r}: {shown.get('reason')}"
    for shown in card.get("metric_details", ()):
        yield f"metric {shown['key']!r}: {shown.get('reason')}"
