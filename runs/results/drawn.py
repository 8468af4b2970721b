"""Charts as their tables read: heads with units, and values in words."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.template.defaultfilters import filesizeformat
from django.utils.formats import date_format
from django.utils.timezone import localtime

from runs.results.charts import Chart, Column, Value
from runs.results.spelling import in_digits, lasting
from runs.statistics.shares import spelled

FORMATS: dict[str, Callable[[float | None], str]] = {
    "share": lambda value: spelled(value, 1),
    "usd": in_digits,
    "seconds": in_digits,
    "number": in_digits,
    "count": in_digits,
    "bytes": lambda value: filesizeformat(value or 0),
    "wait": lambda value: lasting(round(value or 0)),
}
UNITS = {"usd": "USD", "seconds": "s"}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart as its template reads it."""

    chart: Chart

    @property
    def heads(self) -> Iterator[tuple[Column, str]]:
        """Each column with its title and unit."""
        for column in self.chart.columns:
            unit = UNITS.get(column.kind)
            yield column, f"{column.title} ({unit})" if unit else column.title

    @property
    def lines(self) -> Iterator[list[tuple[Column, Value, str]]]:
        """Each row: the columns with the value as it is, and as it reads."""
        for row in self.chart.rows:
            yield [(column, value, shown(column, value)) for column, value in zip(self.chart.columns, row, strict=True)]


def shown(column: Column, value: Value) -> str:
    """A value as people read it, its unit apart."""
    if isinstance(value, str):
        return date_format(localtime(datetime.fromisoformat(value)), "j M Y, H:i") if column.kind == "time" else value
    return FORMATS[column.kind](value)
