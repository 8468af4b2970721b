"""The charts of a run, each with the table that says the same."""

from django.http import HttpRequest, HttpResponse

from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.results.charts import charts_of
from runs.results.drawn import Drawn
from runs.statistics.shares import shares_of
from runs.views.results.results import find_run, head_context


@signed_in("GET")
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
