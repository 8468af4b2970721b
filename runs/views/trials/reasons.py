"""The reasons of a scorecard that the tables of the same page do not show already."""

from collections.abc import Iterator, Mapping
from typing import Any


def reasons_left(card: Mapping[str, Any], error: str) -> dict[str, Any]:
    """The reasons that a page with the trial's error and all tables of the scorecard leaves to show."""
    reported = set(described_by_tables(card))
    overall, validity = card.get("overall_reason", ""), card.get("validity_reason", "")
    return {
        "overall": "" if overall in error else overall,
        "validity": "" if validity in reported or validity in error else validity,
        "warnings": [warning for warning in card.get("warnings", ()) if warning not in reported],
    }


def described_by_tables(card: Mapping[str, Any]) -> Iterator[str]:
    """The reasons in the rows of dimensions, graders and metrics, worded as scoring words its summary."""
    for key, shown in card.get("dimensions", {}).items():
        yield f"dimension {key!r}: {shown.get('reason')}"
    for shown in card.get("validator_details", ()):
        yield f"grader {shown['key']!r}: {shown.get('reason')}"
    for shown in card.get("metric_details", ()):
        yield f"metric {shown['key']!r}: {shown.get('reason')}"
