"""Times between events."""

from datetime import UTC, datetime, timedelta

MILLISECOND = timedelta(milliseconds=1)


def moment(stamp: object) -> datetime | None:
    """A point in time from what an event carries: a datetime or an ISO 8601 text; UTC where no zone is given."""
    if isinstance(stamp, str):
        try:
            stamp = datetime.fromisoformat(stamp)
        except ValueError:
            return None
    if not isinstance(stamp, datetime):
        return None
    return stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)


def milliseconds(start: object, end: object) -> float | None:
    """Whole milliseconds between two points in time, None when one of them is unknown."""
    first, last = moment(start), moment(end)
    if first is None or last is None:
        return None
    return float(int((last - first) / MILLISECOND))
