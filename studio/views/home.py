"""Home: where to go on, what runs, and the way to a first run."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode

from packs.editing.approvals import waiting_for_approval
from packs.models import Pack, PackStatus, PackVersion, VersionStatus
from packs.views.discussion.comments import mentions_of
from packs.views.discussion.proposals import waiting_for
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.jobs.queue.workers import worker_health
from runs.models import ACTIVE_RUNS, Agent, Run, RunStatus
from runs.views.reviews.reviews import reviews_for
from runs.views.reviews.turns import turns_for
from studio.rooms import address

ROWS = 6


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do on the way to a first run."""

    title: str
    detail: str
    done: bool
    url: str
    action: str


def launch_address(version: PackVersion | None, agent: Agent | None) -> str:
    """Where a run is started, with what is known filled in."""
    page = address("runs:new")
    chosen = {"version": version and version.pk, "agent": agent and agent.pk}
    query = urlencode({name: value for name, value in chosen.items() if value})
    return f"{page}?{query}" if page and query else page


def first_steps(user: Any) -> list[Step]:
    """What leads to a first finished run; empty once there is one."""
    runs = Run.objects.visible_to(user)
    if runs.filter(status=RunStatus.COMPLETED).exists():
        return []
    runnable = PackVersion.objects.visible_to(user).filter(status=VersionStatus.RUNNABLE)
    version = runnable.select_related("pack").order_by("pk").first()
    agent = Agent.objects.visible_to(user).filter(is_active=True, kind="reference").order_by("pk").first()
    has_worker = not worker_health().is_nobody
    ready = "A worker is alive." if has_worker else "Runs wait until a worker is started."
    return [
        Step(
            "Have a pack",
            f"{version.pack} is here and published." if version else "Import one of yours, or start from a sample.",
            version is not None,
            address("packs:import"),
            "Import a pack",
        ),
        Step(
            "Have an agent",
            "The reference agent answers with the expected answers and needs no key.",
            agent is not None,
            address("runs:agents"),
            "See agents",
        ),
        Step("Have a worker", ready, has_worker, address("studio:workers"), "Start a worker"),
        Step("Start a run", "Choose the input set, then watch.", False, launch_address(version, agent), "Start a run"),
    ]


def newest_runs(user: Any) -> QuerySet[Run]:
    rows = Run.objects.visible_to(user).select_related("version__pack", "input_set")
    return rows.defer("scorecard", "metadata", "version__document", "version__challenges", "version__assets")


@signed_in("GET")
def home(request: HttpRequest) -> HttpResponse:
    """The first page. Its panels poll themselves while something runs."""
    drafts = Pack.objects.visible_to(request.user).exclude(status=PackStatus.ARCHIVED)
    context = {
        "drafts": drafts.select_related("team").defer("document", "findings").order_by("-updated_at")[:ROWS],
        "turns_waiting": turns_for(request.user),
        "reviews_waiting": reviews_for(request.user),
        "proposals_waiting": waiting_for(request.user)[:ROWS],
        "approvals_waiting": waiting_for_approval(request.user)[:ROWS],
        "mentions": mentions_of(request.user)[:ROWS],
        "steps": first_steps(request.user),
        "active": newest_runs(request.user).filter(status__in=ACTIVE_RUNS)[:ROWS],
        "finished": newest_runs(request.user).exclude(status__in=ACTIVE_RUNS)[:ROWS],
    }
    return render_page(request, "studio/home.html", "studio/_home_panels.html", context)
