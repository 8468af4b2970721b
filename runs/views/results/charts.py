"""The charts of a run, each with the table that says the same."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.views.decorators.http import require_GET

from packs.views.shared.fragments import render_page
from runs.results.charts import Chart, Column, Value, charts_of
from runs.statistics.shares import shares_of, spelled
from runs.views.results.results import find_run, head_context
from runs.views.results.spelling import in_digits

FORMATS: dict[str, Callable[[float | None], str]] = {
    "share": lambda value: spelled(value, 1),
    "usd": in_digits,
    "seconds": in_digits,
    "number": in_digits,
    "count": in_digits,
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


@login_required
@require_GET
def run_charts(request: HttpRequest, pk: int) -> HttpResponse:
    """The charts of a run: scores with intervals, cost against quality, and how time, cost and tokens are spread."""
    subject = find_run(request.user, pk)
    context = {
        **head_context(subject),
        "tab": "charts",
        "shares": shares_of(subject.run.counts or {}),
        "charts": [Drawn(chart) for chart in charts_of(subject.run)],
    }
    return render_page(request, "runs/run/charts.html", "runs/run/_charts.html", context)
