"""The metrics of a run: what they mean, what they add up to, and how they are spread."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from runs.models import RunAgent
from runs.results.measuring import Collected, Measure, collect
from runs.statistics.shares import shares_of, spelled
from runs.views.results.results import find_run, head_context

# Measures of the drawing of a distribution, in units of its own.
WIDTH, HEIGHT, GAP = 96, 24, 1
MAX_CASES = 500


@dataclass(frozen=True, slots=True)
class Drawn:
    """A metric with the rectangles of its distribution: place, width and height, and what each says."""

    measure: Measure
    rectangles: list[dict[str, Any]]

    @property
    def described(self) -> list[str]:
        """Mean or rate, P50 and P95 in words; empty where there is none."""
        summary = self.measure.summary
        if "counts" in summary:
            return [", ".join(f"{kind} × {count}" for kind, count in summary["counts"].items()) or "none", "", ""]
        if "rate" in summary:
            return [spelled(summary["rate"]), "", ""]
        return [in_digits(summary[name]) for name in ("mean", "p50", "p95")]

    @property
    def spoken(self) -> str:
        """The distribution in words."""
        return ", ".join(f"{bar.label}: {bar.count}" for bar in self.measure.bars if bar.count)


def in_digits(number: float | None) -> str:
    """A number with as many digits as tell something."""
    return "–" if number is None else f"{number:.3g}" if abs(number) < 999.5 else f"{number:,.0f}"


def drawn(measure: Measure) -> Drawn:
    wide = WIDTH / max(1, len(measure.bars))
    rectangles = [
        {
            "x": round(place * wide, 2),
            "y": round(HEIGHT * (1 - bar.share), 2),
            "width": round(max(1.0, wide - GAP), 2),
            "height": round(HEIGHT * bar.share, 2),
            "label": f"{bar.label}: {bar.count}",
        }
        for place, bar in enumerate(measure.bars)
        if bar.count
    ]
    return Drawn(measure, rectangles)


@login_required
@require_GET
def metrics(request: HttpRequest, pk: int) -> HttpResponse:
    """Every metric of each agent; with `metric` and `agent` also by case."""
    subject = find_run(request.user, pk)
    agents = list(RunAgent.objects.filter(run=subject.run).defer("config").order_by("position"))
    found = collect(subject.run)
    chosen, wanted = request.GET.get("agent", ""), request.GET.get("metric", "")
    agent = next((row for row in agents if str(row.pk) == chosen), agents[0] if agents else None)
    values = found.get(agent.pk, Collected()) if agent else Collected()
    by_case = values.cases(wanted)
    context = {
        **head_context(subject),
        "tab": "metrics",
        "agents": agents,
        "agent": agent,
        "shares": shares_of(subject.run.count_by_agent().get(agent.pk, {})) if agent else None,
        "metrics": [drawn(measure) for measure in values.measures()],
        "metric": wanted if by_case else "",
        "by_case": [(case, drawn(measure)) for case, measure in by_case[:MAX_CASES]],
        "hidden_cases": max(0, len(by_case) - MAX_CASES),
        "height": HEIGHT,
        "width": WIDTH,
    }
    return render(request, "runs/run/metrics.html", context)
