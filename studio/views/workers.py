"""Whether anybody is there to run what is queued: the pill in the bar and its page."""

from django.http import HttpRequest, HttpResponse

from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.jobs.queue.workers import worker_health


@signed_in("GET")
def workers(request: HttpRequest) -> HttpResponse:
    """How many workers live and how to start one; for the pill's polls the pill, and the bell."""
    context = {"health": worker_health()}
    return render_page(request, "studio/workers.html", "parts/news.html", context)
