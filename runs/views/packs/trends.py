"""How the results of a pack change over its runs."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from packs.access import Permission
from packs.views.shared.signed_in import signed_in
from runs.models import Badge
from runs.results.drawn import Drawn
from runs.results.trends import ChangedCase, Changes, changes_of, charts_of_trend, trend_of
from runs.views.packs.badges import with_addresses
from runs.views.packs.scope import find_scope

# How many changed cases are listed each way.
MOST_LISTED = 100


@signed_in("GET")
def pack_trends(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Pass rate and cost of every agent over the runs of a pack, and the cases that changed last.

    Parameters: set, agent (whose changed cases are shown).
    """
    scope = find_scope(request, team, slug)
    trend = trend_of(scope.runs)
    wanted = request.GET.get("agent", "")
    agent = wanted if wanted in trend.agents else next(iter(trend.agents), "")
    changes = changes_of(trend, agent)
    may_share = Permission.CURATE in scope.subject.may
    badges = Badge.objects.live().filter(pack=scope.pack).select_related("created_by") if may_share else ()
    context = {
        **scope.context,
        "tab": "results",
        "part": "trends",
        "trend": trend,
        "charts": [Drawn(chart) for chart in charts_of_trend(trend)],
        "agent": agent,
        "changes": changes,
        "lists": _lists(changes),
        "may_share": may_share,
        "badges": with_addresses(request, badges),
    }
    return render(request, "runs/pack/trends.html", context)


def _lists(changes: Changes | None) -> list[tuple[str, str, int, Sequence[ChangedCase]]]:
    """The changed cases as lists: heading, state, how many there are, and as many of them as are shown."""
    if changes is None:
        return []
    named = (
        ("Passed before, fail now", "fail", changes.regressed),
        ("Failed before, pass now", "pass", changes.fixed),
    )
    return [(title, state, len(cases), cases[:MOST_LISTED]) for title, state, cases in named]
