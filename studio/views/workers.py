"""Whether anybody is there to run what is queued: the pill in the bar and its page."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from packs.views.shared.fragments import render_page
from runs.jobs.queue.workers import worker_health


@login_required
@require_GET
def workers(request: HttpRequest) -> HttpResponse:
    """How many workers live and how to start one; for the pill's polls the pill, and the bell."""
    context = {"health": worker_health()}
    return render_page(request, "studio/workers.html", "parts/news.html", context)
