"""How the studio is, in pictures: the figures of `/metrics` for people who operate it."""

from django.contrib.admin.views.decorators import staff_member_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from runs.results.drawn import Drawn
from studio.metrics.collected import everything
from studio.metrics.pictures import charts, figures, samples_by_family


@staff_member_required
@require_GET
def ops(request: HttpRequest) -> HttpResponse:
    """Workers, requests, queues, outcomes, spending and storage as they are now."""
    samples = samples_by_family(everything().collect())
    context = {
        "figures": figures(samples),
        "charts": [Drawn(chart) for chart in charts(samples)],
        "now": timezone.now(),
    }
    return render(request, "studio/ops.html", context)
