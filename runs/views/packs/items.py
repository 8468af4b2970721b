"""What the cases of a pack are worth."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from packs.editing.values import counted
from packs.formats.document import NodeKind
from packs.views.shared.signed_in import signed_in
from runs.results.drawn import Drawn
from runs.results.items import Worth, charts_of_items, worth_of
from runs.statistics.shares import spelled
from runs.statistics.subsets import SmallSet
from runs.views.packs.scope import find_scope

# How many cases a picture and its table have; the API gives all.
MOST_DRAWN = 500


@signed_in("GET")
def pack_items(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Difficulty and discrimination of each case, what decides between the best agents, and a small set.

    Parameters: set, show (never, always, flaky, wrong_way, gaps, small).
    """
    scope = find_scope(request, team, slug)
    worth = worth_of(scope.runs)
    show = request.GET.get("show", "")
    charts = charts_of_items(worth, show)
    context = {
        **scope.context,
        "tab": "results",
        "part": "items",
        "worth": worth,
        "show": show,
        "figures": figures(worth),
        "charts": [Drawn(replace(chart, rows=chart.rows[:MOST_DRAWN])) for chart in charts],
        "is_cut": any(len(chart.rows) > MOST_DRAWN for chart in charts),
        "most": MOST_DRAWN,
        "sentences": sentences(worth),
    }
    return render(request, "runs/pack/items.html", context)


def figures(worth: Worth) -> list[tuple[str, str, int]]:
    """What the cases can be narrowed to: key, label and how many."""
    named = (
        ("", "All cases"),
        ("never", "Solved by nobody"),
        ("always", "Always solved by all"),
        ("flaky", "Flaky"),
        ("wrong_way", "Rank agents the wrong way"),
        ("gaps", "Decide between the best two"),
        ("small", "Smallest set"),
    )
    return [(key, label, len(worth.shown(key))) for key, label in named]


def sentences(worth: Worth) -> list[str]:
    """What there is to say of the set as a whole."""
    analysis, found = worth.analysis, []
    agents = list(analysis.means)
    if analysis.cells:
        found.append(f"{analysis.flaky_cells} of {analysis.cells} cells (one case by one agent) are flaky.")
    if analysis.negative:
        found.append(
            f"{len(analysis.negative)} correlations are below 0, {len(analysis.wrong_way)} of them beyond chance, "
            "corrected for the number of cases (Holm). Of cases that measure nothing, half fall below 0 by chance."
        )
    if len(agents) < 3:
        found.append("Discrimination needs at least three agents, and its interval four.")
    if best := worth.best:
        one, other = (analysis.matrix.agents[at] for at in (best.first, best.second))
        bounds = f" (95 % interval {_points(best.interval[0])} to {_points(best.interval[1])})" if best.interval else ""
        decided = "" if best.is_decided else " These cases do not decide which is better."
        found.append(
            f"The best two are {one} and {other}. They differ by {_points(best.difference)} points{bounds}; "
            f"{len(best.gaps)} of {best.count} cases tell them apart.{decided}"
        )
    if small := worth.small:
        found.append(_small_words(small))
    return found


def _small_words(small: SmallSet) -> str:
    said = (
        f"The smallest set that was found has {counted(NodeKind.CASE, len(small.places))}. It ranks "
        f"{spelled(small.kept)} of the pairs of agents as all cases do; its pass rates are off by at most "
        f"{_points(small.error)} points."
    )
    if small.checked is None:
        return f"{said} With one trial for each case and agent, this cannot be checked on other trials."
    error, kept = small.checked
    return (
        f"{said} New runs will agree less: a set of this size that is chosen from half of the trials ranks "
        f"{spelled(kept)} of the pairs right in the other half, and is off by at most {_points(error)} points."
    )


def _points(share: float) -> str:
    return f"{100 * share:.1f}"
