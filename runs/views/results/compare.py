"""Runs compared case by case; the address holds the whole state."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from packs.views.library.catalogue import Facet, toggled
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.models import ACTIVE_RUNS, Rescore, Run
from runs.results.comparing import MAX_RUNS, Column, Comparison, Refused, comparison_charts, comparison_of, read_ids
from runs.results.drawn import Drawn
from runs.results.spelling import dollars, in_digits, spent
from runs.statistics.comparing.cells import Cell
from runs.statistics.comparing.choosing import DEFAULT_ORDER, chosen, counts_of, holding, ordered
from runs.statistics.comparing.pairs import LEAST_DIFFERING, Pairs, ScorePairs
from runs.statistics.comparing.rows import Change, ComparedCase
from runs.statistics.comparing.totals import Total
from runs.statistics.shares import shares_of
from runs.views.results.compared_case import find_row, opened_case
from runs.views.results.runs import NAMES, visible_runs

PAGE_ROWS = 100
# Parameters that a search within the page keeps.
KEPT = ("ids", "base", "with", "agent", "show")
SUGGESTED = 10
WORDS = {
    Change.REGRESSED: "Regressed",
    Change.FIXED: "Fixed",
    Change.FLAKY: "Flaky",
    Change.CHANGED: "Other score",
    Change.NEW: "New",
    Change.GONE: "Gone",
    Change.INCOMPARABLE: "Not comparable",
    Change.SAME: "Same",
}
# What the pairs of a column say, in words; with how many cases differ.
SAYINGS = {
    "nothing": "No case was decided on both sides.",
    "equal": "Every case has the same verdict.",
    "too_few": f"Too few cases differ to tell this from chance; {LEAST_DIFFERING} are the least that could.",
    "unclear": "This may be chance.",
    "better": "Better; this is unlikely to be chance.",
    "worse": "Worse; this is unlikely to be chance.",
}


@dataclass(frozen=True, slots=True)
class Card:
    """A column as its card shows it."""

    column: Column
    total: Total
    is_base: bool
    base_url: str
    letter: str

    @property
    def has_several(self) -> bool:
        """Whether a case has several trials, so that cases and trials are counted apart."""
        return self.total.shares.planned > self.total.cases.planned

    @property
    def interval(self) -> str:
        """The interval of the share of cases that pass, in per cent: trials of one case do not vary independently."""
        bounds = self.total.cases.interval
        return f"{100 * bounds[0]:.0f} to {100 * bounds[1]:.0f} %" if bounds else ""

    @property
    def delta(self) -> str:
        return points(self.total.pairs.delta) if self.total.pairs else ""

    @property
    def delta_interval(self) -> str:
        bounds = self.total.pairs.interval if self.total.pairs else None
        return f"{points(bounds[0])} to {points(bounds[1])}" if bounds else ""

    @property
    def tone(self) -> str:
        return {"better": "green", "worse": "red"}.get(self.pairs.says, "")

    @property
    def pairs(self) -> Pairs:
        return self.total.pairs or Pairs()

    @property
    def saying(self) -> str:
        return SAYINGS[self.pairs.says]

    @property
    def chance(self) -> str:
        return in_words(self.pairs.chance)

    @property
    def scores(self) -> str:
        """The difference of scores in a sentence; empty for the base, and where scores say no more than verdicts."""
        scores = self.total.scores
        if scores is None or not scores.mean.mean or not self.total.is_graded:
            return ""
        return f"{effect_in_words(scores)}, {scores.mean.count:,} {'pair' if scores.mean.count == 1 else 'pairs'}"

    @property
    def deciding(self) -> str:
        """What would show the difference of all trials, in words; empty where it is decided, or nothing would."""
        needed = self.total.needed
        trials = f"{needed.trials:,} trials of each case" if needed and needed.trials else ""
        cases = f"{needed.cases:,} cases" if needed and needed.cases else ""
        wanted = " or ".join(filter(None, (trials, cases)))
        return f"{points(needed.difference)} points over all trials: {wanted}" if needed and wanted else ""

    @property
    def tokens(self) -> str:
        return spent(in_digits(self.total.tokens.known), self.total.tokens)

    @property
    def cost(self) -> str:
        return spent(dollars(self.total.cost.known), self.total.cost)

    @property
    def seconds(self) -> str:
        return "–" if self.total.seconds is None else f"{self.total.seconds:.1f} s"


@dataclass(frozen=True, slots=True)
class CellShown:
    """A cell with how it differs from the base; `rescore` is the one that judged it, None for the run itself."""

    cell: Cell | None
    change: Change | None
    delta: float | None
    rescore: Rescore | None = None

    @property
    def url(self) -> str:
        """The page of the trial that decided."""
        trial = self.cell.deciding.id if self.cell else 0
        if self.rescore is None:
            return reverse("runs:trial", args=[trial])
        return reverse("runs:rescored-trial", args=[self.rescore.pk, trial])

    @property
    def passed(self) -> str:
        """How many of several trials passed, of those that were judged."""
        shares = shares_of(Counter(sample.state for sample in self.cell.samples) if self.cell else {})
        reported = f"{shares.passed} of {shares.judged} passed" if shares.planned > 1 else ""
        return f"{reported}, {shares.missing} not judged" if reported and shares.missing else reported

    @property
    def moved(self) -> str:
        return f"{self.delta:+.2f}" if self.delta else ""


@dataclass(frozen=True, slots=True)
class RowShown:
    """A line of the table; `number` is that of its first trial, by which the address names it."""

    row: ComparedCase
    cells: Sequence[CellShown]
    number: int
    url: str
    is_open: bool


def points(share: float | None) -> str:
    """A difference of shares in percentage points, with its sign."""
    return "–" if share is None else f"{100 * share:+.1f}".replace("-", "−")


def signed(value: float) -> str:
    """A difference of scores with its sign."""
    return f"{value:+.2f}".replace("-", "−")


def effect_in_words(scores: ScorePairs) -> str:
    """A mean difference of scores with its chance, and its interval where there is one."""
    bounds = "95 % {} to {}, ".format(*map(signed, scores.mean.interval)) if scores.mean.interval else ""
    return f"{signed(scores.mean.mean)} ({bounds}{in_words(scores.chance)})"


def in_words(chance: float) -> str:
    """A p-value."""
    return "p < 0.001" if chance < 0.001 else f"p = {chance:.3f}"


def find_runs(user: Any, ids: Sequence[int]) -> list[Run]:
    """These runs in this order. Raises Http404 where one is out of sight."""
    rows = visible_runs(user).defer("scorecard", "metadata").in_bulk(list(ids))
    if len(rows) < len(ids):
        raise Http404
    return [rows[pk] for pk in ids]


def suggestions(user: Any, run: Run) -> list[Run]:
    """Runs to compare with: of the same pack, those of the same input set and agents first, the latest before it."""
    rows = visible_runs(user).defer("scorecard", "metadata").filter(version__pack=run.version.pack_id)
    found = list(rows.exclude(pk=run.pk).prefetch_related(NAMES).order_by("-pk")[: SUGGESTED * 5])
    names = {agent.name for agent in run.agents.only("run", "position", "name")}
    key = run.input_set.key if run.input_set else ""

    def distance(other: Run) -> tuple[bool, bool, bool]:
        other_key = other.input_set.key if other.input_set else ""
        return other_key != key, not names & {agent.name for agent in other.agents.all()}, other.pk > run.pk

    return sorted(found, key=distance)[:SUGGESTED]


def address(query: QueryDict, **changes: object) -> str:
    """The address with some parameters replaced; None drops one."""
    params = query.copy()
    for name, value in changes.items():
        params.pop(name, None)
        if value is not None:
            params[name] = str(value)
    return f"?{params.urlencode(safe=',')}"


def cards_of(comparison: Comparison, query: QueryDict) -> list[Card]:
    return [
        Card(
            column,
            comparison.totals[at],
            at == comparison.base,
            address(query, base=column.name, page=None),
            comparison.letters[at],
        )
        for at, column in enumerate(comparison.columns)
    ]


def row_shown(
    row: ComparedCase, query: QueryDict, open_row: ComparedCase | None, columns: Sequence[Column]
) -> RowShown:
    shown = zip(row.cells, row.changes, row.deltas, [column.rescore for column in columns], strict=True)
    number = next(cell.samples[0].id for cell in row.cells if cell)
    is_open = row is open_row
    url = address(query, open=None if is_open else number)
    return RowShown(row, [CellShown(*each) for each in shown], number, url, is_open)


def filters(rows: Sequence[ComparedCase], query: QueryDict) -> list[Facet]:
    """The kinds of change that occur, and the one that is chosen."""
    counts, picked = counts_of(rows), query.get("show", "")
    return [
        Facet(word, toggled(query, "show", change), counts.get(change, 0), change == picked)
        for change, word in WORDS.items()
        if change in counts or change == picked
    ]


def compare_context(request: HttpRequest, runs: Sequence[Run]) -> dict[str, Any]:
    comparison = comparison_of(runs, request.GET.get("base", ""))
    return {
        **comparison_shown(request.GET, comparison),
        "packs": {run.version.pack_id: run.version.pack for run in runs}.values(),
        "is_live": any(run.status in ACTIVE_RUNS for run in runs),
        "unfinished": [run for run in runs if run.finished_at is None],
    }


def comparison_shown(query: QueryDict, comparison: Comparison) -> dict[str, Any]:
    """The columns of a comparison, and the page of its rows that an address asks for."""
    found = holding(comparison.rows, query.get("q", ""))
    order = query.get("sort") or DEFAULT_ORDER
    page = Paginator(ordered(chosen(found, query.get("show", "")), order), PAGE_ROWS).get_page(query.get("page"))
    listed: list[ComparedCase] = list(page.object_list)
    wanted = find_row(comparison, query.get("open", ""))
    open_row = wanted if wanted in listed else None
    return {
        "comparison": comparison,
        "cards": cards_of(comparison, query),
        "charts": [Drawn(chart) for chart in comparison_charts(comparison)],
        "page": page,
        "rows": [row_shown(row, query, open_row, comparison.columns) for row in listed],
        "opened": opened_case(open_row) if open_row else None,
        "facets": filters(found, query),
        "every": len(found),
        "every_url": address(query, show=None, page=None),
        "sort": order,
        "q": query.get("q", ""),
        "show": query.get("show", ""),
        "base": query.get("base", ""),
        "kept": [(name, ",".join(query.getlist(name))) for name in KEPT if query.get(name)],
        "bare_url": address(query, show=None, q=None, page=None),
    }


@signed_in("GET")
def compare_runs(request: HttpRequest) -> HttpResponse:
    """Runs side by side. Parameters: ids (numbers, with commas or again and again), base, show, q, sort, page, open."""
    try:
        ids = read_ids(request.GET.getlist("ids"))
    except Refused as refused:
        if refused.code == "invalid_ids":
            raise Http404 from refused
        context = {"ids": "", "runs": [], "refused": str(refused), "most": MAX_RUNS}
        return render_page(request, "runs/compare/page.html", "runs/compare/_compare.html", context, 400)
    runs = find_runs(request.user, ids)
    context = {"ids": ",".join(map(str, ids)), "runs": runs, "most": MAX_RUNS}
    if len(runs) == 1:
        context["suggestions"] = suggestions(request.user, runs[0])
    if len(runs) > 1 or (runs and runs[0].agents.count() > 1):
        context |= compare_context(request, runs)
    return render_page(request, "runs/compare/page.html", "runs/compare/_compare.html", context)
