"""Administration: what its sidebar leads to, and the front page that says what waits for a curator."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import F, Max, Model, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse

from packs.audit import may_read_log
from packs.models import Edit, Pack, PackStatus, PackVersion
from runs.models import ACTIVE_RUNS, Run

# Kinds of rows by the name of their model, under the words that people look for.
GROUPS: Mapping[str, Mapping[str, str]] = {
    "Packs": {
        "Pack": "Packs",
        "PackVersion": "Versions",
        "VersionCase": "Stored cases",
        "Edit": "Edits",
    },
    "Drafts": {"Challenge": "Challenges", "InputSet": "Input sets", "Case": "Cases", "Asset": "Assets"},
    "Runs": {"Run": "Runs", "RunAgent": "Run agents", "Trial": "Trials", "Review": "Reviews", "SharedPage": "Links"},
    "Agents": {"Agent": "Agents", "Connection": "Connections", "Secret": "Secrets"},
    "People": {
        "Team": "Teams and roles",
        "User": "Users",
        "SecondFactor": "Second factors",
        "Token": "Keys for the API",
    },
    "Operation": {
        "WorkerBeat": "Workers",
        "PeriodicTask": "Timetable",
        "IntervalSchedule": "Intervals",
        "CrontabSchedule": "Crontabs",
        "ClockedSchedule": "Moments",
        "SolarSchedule": "Solar events",
    },
}
SHOWN = 8


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The groups of the sidebar with the rows that a member of staff may look at."""
    found = [model for app in admin.site.get_app_list(request) for model in app["models"]]
    links = {model["object_name"]: model["admin_url"] for model in found}
    rooms = [
        {"title": "Back to the studio", "icon": "arrow_back", "link": reverse("studio:home"), "active": False},
        {"title": "Overview", "icon": "dashboard", "link": reverse("admin:index")},
    ]
    if may_read_log(request.user):
        rooms.append({"title": "Audit log", "icon": "history", "link": reverse("studio:audit")})
    groups = [
        {
            "title": title,
            "items": [{"title": word, "link": links[name]} for name, word in names.items() if name in links],
        }
        for title, names in GROUPS.items()
    ]
    return [{"items": rooms}, *groups]


def rows(request: HttpRequest, model: type[Model]) -> QuerySet[Any]:
    """The rows of a kind that a member of staff may look at."""
    return admin.site.get_model_admin(model).get_queryset(request)


def front_page(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """What waits for a curator, what changed last, and how much there is."""
    packs = rows(request, Pack).exclude(status=PackStatus.ARCHIVED)
    ahead = ahead_of_their_versions(packs)
    figures = (
        ("Packs", packs.count(), "packs_pack"),
        ("Drafts to publish", ahead.count(), "packs_pack"),
        ("Packs with errors", packs.filter(problem_errors__gt=0).count(), "packs_pack"),
        ("Runs at work", rows(request, Run).filter(status__in=ACTIVE_RUNS).count(), "runs_run"),
    )
    return {
        **context,
        "figures": [(word, count, reverse(f"admin:{kind}_changelist")) for word, count, kind in figures],
        "drafts": ahead.select_related("team").order_by("-updated_at", "-pk")[:SHOWN],
        # A superuser curates packs of teams whose pages are not theirs to see.
        "visible": set(Pack.objects.visible_to(request.user).filter(pk__in=ahead).values_list("pk", flat=True)),
        "edits": rows(request, Edit).select_related("author", "pack__team").order_by("-at", "-pk")[:SHOWN],
    }


def ahead_of_their_versions(packs: QuerySet[Any]) -> QuerySet[Any]:
    """Packs whose draft was changed after the newest version, or that have none."""
    newest = PackVersion.objects.filter(pack=OuterRef("pk")).order_by().values("pack")
    revision = Subquery(newest.annotate(newest=Max("revision")).values("newest"))
    found: QuerySet[Any] = packs.annotate(published=revision)
    return found.filter(Q(published=None) | Q(revision__gt=F("published")))
