"""A re-score compared with what was said before, or with another re-score, as two runs are."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.models import OPEN_RESCORES, Rescore
from runs.results.judgings import JudgeMoved, judgings_of, rivals_of
from runs.views.results.compare import SAYINGS, comparison_shown, effect_in_words
from runs.views.results.rescores import find_rescore
from runs.views.results.results import head_context

# What the verdicts of one judge in both judgings say, by `Pairs.says`.
MOVES = {
    **SAYINGS,
    "better": "Passes more; this is unlikely to be chance.",
    "worse": "Passes fewer; this is unlikely to be chance.",
}


@signed_in("GET")
def compare_judgings(request: HttpRequest, pk: int) -> HttpResponse:
    """A re-score beside another judging of the same answers.

    Parameters: with (another re-score of the run; what was said before without it), agent, show, q, sort, page.
    """
    row, subject = find_rescore(request, pk)
    agents = list(subject.run.agents.defer("config", "summary").order_by("position"))
    agent = next((each for each in agents if str(each.pk) == request.GET.get("agent")), agents[0])
    other = other_judging(row, request.GET.get("with", ""))
    judgings = judgings_of(row, agent, other)
    context = {
        **head_context(subject),
        **comparison_shown(request.GET.copy(), judgings.comparison),
        "judged_by": row,
        "other": other,
        "agents": [(str(each.pk), each.name) for each in agents],
        "agent": str(agent.pk),
        "rivals": [(str(each.pk), f"Re-score {each.pk}") for each in rivals_of(row)],
        "agreement": judgings.agreement,
        "judges": [(each, moved_in_words(each)) for each in judgings.judges],
        "orders": [(each, effect_in_words(each.effect)) for each in judgings.biases.orders],
        "own": [(each, effect_in_words(each.effect)) for each in judgings.biases.own],
        "is_live": row.status in OPEN_RESCORES,
        "opened": None,
    }
    return render_page(request, "runs/rescores/compare.html", "runs/rescores/_compare.html", context)


def moved_in_words(moved: JudgeMoved) -> tuple[str, str]:
    """How the scores of a judge moved, with interval and chance, and what its verdicts say."""
    return effect_in_words(moved.scores) if moved.scores else "–", MOVES[moved.pairs.says]


def other_judging(row: Rescore, wanted: str) -> Rescore | None:
    """The re-score that another is compared with; None for what was said before. Raises Http404."""
    if not wanted:
        return None
    if not (wanted.isascii() and wanted.isdecimal() and len(wanted) < 19):
        raise Http404
    return get_object_or_404(rivals_of(row), pk=int(wanted))
