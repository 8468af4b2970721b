"""The metrics of a run, agents side by side: what they mean, what they add up to, and how one of them is spread."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from packs.views.shared.signed_in import signed_in
from runs.models import Run, RunAgent
from runs.results.charts import metric_chart
from runs.results.drawn import Drawn
from runs.results.measuring import Collected, Measure, collect
from runs.results.memory import remembered
from runs.results.sampling import Sample
from runs.results.spelling import in_digits
from runs.statistics.shares import shares_of, spelled
from runs.views.results.results import find_run, head_context

MAX_CASES = 500
# What is drawn where no metric is chosen.
FIRST = "score"


@dataclass(frozen=True, slots=True)
class Cell:
    """A metric over the trials of one agent, as its table shows it; None where the agent has none of it."""

    measure: Measure | None

    @property
    def main(self) -> str:
        """The mean, the rate or the counts."""
        summary = self.measure.summary if self.measure else {}
        if "counts" in summary:
            return ", ".join(f"{kind} × {count}" for kind, count in summary["counts"].items()) or "none"
        return spelled(summary["rate"]) if "rate" in summary else in_digits(summary.get("mean"))

    @property
    def spread(self) -> str:
        """The median and what 95 of 100 trials do not exceed; empty for rates and counts."""
        summary = self.measure.summary if self.measure else {}
        if summary.get("p50") is None:
            return ""
        return f"P50 {in_digits(summary['p50'])}, P95 {in_digits(summary['p95'])}"

    @property
    def known(self) -> str:
        """Of how many trials it is, where it is not defined for all."""
        found = self.measure
        return f"{found.known} of {found.known + found.missing} trials" if found and found.missing else ""


@signed_in("GET")
def metrics(request: HttpRequest, pk: int) -> HttpResponse:
    """Every metric of each agent; one of them, `metric`, as a chart and by case."""
    subject = find_run(request.user, pk)
    wanted = request.GET.get("metric", "")
    # What is shown is little, what it is made of is every scorecard of the run.
    shown = remembered("metrics", [subject.run], lambda: measured_context(subject.run, wanted), wanted)
    context = {**head_context(subject), "tab": "metrics", "shares": shares_of(subject.run.counts or {}), **shown}
    return render(request, "runs/run/metrics.html", context)


def measured_context(run: Run, wanted: str) -> dict[str, Any]:
    """Every metric of each agent, and the one that is wanted as a chart and by case."""
    agents = list(RunAgent.objects.filter(run=run).defer("config").order_by("position"))
    found = collect(run)
    measured = [found.get(agent.pk, Collected()) for agent in agents]
    rows = lined_up([{measure.name: measure for measure in each.measures()} for each in measured])
    known = [row["measure"].name for row in rows]
    chosen = wanted if wanted in known else FIRST if FIRST in known else ""
    chart = metric_chart(chosen, agents, found)
    by_case = lined_up([dict(each.cases(chosen)) for each in measured])
    return {
        "agents": agents,
        "sample": Sample.of(run),
        "metrics": rows,
        "metric": chosen,
        "drawn": Drawn(chart) if chart else None,
        "by_case": by_case[:MAX_CASES],
        "hidden_cases": max(0, len(by_case) - MAX_CASES),
    }


def lined_up(columns: list[dict[str, Measure]]) -> list[dict[str, Any]]:
    """A row for each name in any of the columns: the name, one of its measures, and a cell for each column."""
    firsts = {name: measure for column in reversed(columns) for name, measure in column.items()}
    names = dict.fromkeys(name for column in columns for name in column)
    return [
        {"name": name, "measure": firsts[name], "cells": [Cell(column.get(name)) for column in columns]}
        for name in names
    ]
