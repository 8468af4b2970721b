"""The list of runs: search, filters, order; the address holds the whole state."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.paginator import Paginator
from django.db.models import F, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from packs.access import RunQuerySet
from packs.models import Pack, PackVersion
from packs.views.library.catalogue import facets
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.models import ACTIVE_RUNS, FINAL_STATUSES, Agent, Run, RunAgent, RunStatus
from runs.results.comparing import MAX_RUNS
from runs.results.spelling import lasting
from runs.statistics.shares import Shares

PAGE_ROWS = 50
ORDERS = {
    "when": ("pk",),
    "pack": ("version__pack__title", "version__number"),
    "status": ("status",),
    "share": ("pass_share",),
    "trials": ("trial_count",),
    "time": ("took",),
}
DEFAULT_ORDER = "-when"
# What a line says of the agents; their configurations can be large.
NAMES = Prefetch("agents", RunAgent.objects.only("run", "position", "name"))
FILTERS = ("status", "pack", "agent", "sort")
# No agent fails a run: it fails where every trial is an error, and is called so everywhere.
STATUS_WORDS = {**dict(RunStatus.choices), RunStatus.FAILED.value: "Errors only"}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: how many of its trials have ended, whatever became of them, and how long it took."""

    ended: int
    shares: Shares
    took: timedelta | None

    @property
    def spent(self) -> str:
        return spell(self.took)

    @property
    def left(self) -> int:
        return self.shares.planned - self.ended


def spell(duration: timedelta | None) -> str:
    """A duration in its two largest units; empty for None."""
    if duration is None:
        return ""
    seconds = max(duration.total_seconds(), 0.0)
    return f"{seconds:.1f} s" if seconds < 10 else lasting(round(seconds))


def progress_of(run: Run) -> Progress:
    """The progress of a run by its cached counts; the time runs until it has ended."""
    counts: dict[str, int] = run.counts or {}
    ended = sum(counts.get(status, 0) for status in FINAL_STATUSES)
    took = (run.finished_at or timezone.now()) - run.started_at if run.started_at else None
    return Progress(ended, run.trial_shares, took)


def visible_runs(user: Any) -> RunQuerySet:
    """Runs that the user may see, with what a line of a list shows."""
    heavy = [f"version__{name}" for name in ("document", "challenges", "assets", "files", "lineage", "notes")]
    packs = ["version__pack__document", "version__pack__findings", "input_set__document"]
    rows: RunQuerySet = Run.objects.visible_to(user)
    return rows.select_related("team", "version__pack__team", "input_set", "created_by").defer(*heavy, *packs)


def search(rows: QuerySet[Run], text: str) -> QuerySet[Run]:
    """Runs whose name, pack or input set holds every word of the text; `#12` or `12` also means that run."""
    for word in text.split()[:8]:
        found = Q(name__icontains=word) | Q(version__pack__title__icontains=word)
        found |= Q(version__pack__slug__icontains=word) | Q(input_set__key__icontains=word)
        number = word.removeprefix("#")
        if number.isdecimal() and len(number) < 19:
            found |= Q(pk=int(number))
        rows = rows.filter(found)
    return rows


def narrowed(rows: QuerySet[Run], query: Any) -> QuerySet[Run]:
    """The filters of the address but the status; a pack is `team/slug`, an agent its name."""
    rows = search(rows, query.get("q", ""))
    if pack := query.get("pack"):
        team, _, slug = pack.partition("/")
        rows = rows.filter(version__pack__team__slug=team, version__pack__slug=slug)
    if agent := query.get("agent"):
        rows = rows.filter(agents__name=agent).distinct()
    return rows


def ordered(rows: QuerySet[Run], order: str) -> QuerySet[Run]:
    """Sort by a key of ORDERS, downwards with a minus sign; what has no value comes last."""
    if order.removeprefix("-") not in ORDERS:
        order = DEFAULT_ORDER
    is_down = order.startswith("-")
    columns = ORDERS[order.removeprefix("-")]
    rows = rows.annotate(took=F("finished_at") - F("started_at"))
    keys = [F(name).desc(nulls_last=True) if is_down else F(name).asc(nulls_last=True) for name in columns]
    return rows.order_by(*keys, "-pk")


def pack_choices(user: Any) -> list[tuple[str, str]]:
    """The packs that were run, as value and label of a filter."""
    ran = PackVersion.objects.filter(runs__isnull=False).values("pack")
    rows = Pack.objects.visible_to(user).filter(pk__in=ran).by_title()
    values = rows.values_list("team__slug", "slug", "title")
    return [(f"{team}/{slug}", title or slug) for team, slug, title in values]


def lines(user: Any, pks: list[int]) -> list[Run]:
    """The runs of these numbers in their order, with what a line of the list shows."""
    rows = visible_runs(user).defer("scorecard", "metadata").prefetch_related(NAMES).in_bulk(pks)
    return [rows[pk] for pk in pks if pk in rows]


def list_context(request: HttpRequest) -> dict[str, Any]:
    query, user = request.GET, request.user
    found = narrowed(Run.objects.visible_to(user), query)
    shown = found.filter(status=query["status"]) if query.get("status") else found
    order = query.get("sort") or DEFAULT_ORDER
    # Numbers alone are sorted: whole rows, with what is joined to them, would be carried through the sort.
    page = Paginator(ordered(shown, order).values_list("pk", flat=True), PAGE_ROWS).get_page(query.get("page"))
    runs = lines(user, list(page.object_list))
    return {
        "page": page,
        "rows": [{"run": run, "progress": progress_of(run)} for run in runs],
        "statuses": facets(found, query, "status", STATUS_WORDS),  # type: ignore[arg-type]
        "packs": pack_choices(user),
        "agents": Agent.objects.visible_to(user).order_by("name").values_list("name", flat=True).distinct(),
        "sort": order,
        "q": query.get("q", ""),
        "chosen": {name: query.get(name, "") for name in FILTERS},
        "is_narrowed": any(query.get(name) for name in ("q", "status", "pack", "agent")),
        "is_live": any(run.status in ACTIVE_RUNS for run in runs),
        "most_compared": MAX_RUNS,
    }


@signed_in("GET")
def run_list(request: HttpRequest) -> HttpResponse:
    """Runs that the user may see. Parameters: q, status, pack, agent, sort, page."""
    return render_page(request, "runs/run/list.html", "runs/run/_rows.html", list_context(request))
