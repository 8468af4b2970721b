"""Two replays side by side: where they part, and what each of them did there."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse

from packs.access import AnyUser
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.models import FINAL_STATUSES, Run, Trial
from runs.replay import StepIndex, build_steps
from runs.replay.aligning import CHANGED, MOST_ALIGNED, SAME, AlignedSteps, Alignment
from runs.results.playback import align_trials, events_of, index_of
from runs.views.trials.payloads import Shown, compare_lines
from runs.views.trials.replays import ICONS, ReplayPosition, detail_of
from runs.views.trials.step_costs import costs_of, differ, totals_of
from runs.views.trials.trials import find_trial

WINDOW = 200
# Equal rows that stay at both ends of a stretch, and how many more there must be for them to be folded.
AROUND, LEAST_FOLDED = 2, 3
EVERYTHING = "all"
# Of the runs of a pack the newest ones are looked through for trials of a case, of which the newest are offered.
RUNS_SOUGHT, OFFERED, RIVALS = 20, 10, 50
# Columns of the trials to choose from that may hold megabytes.
UNREAD = ("scorecard", "final_output", "run__scorecard", "run__metadata", "run_agent__config", "run_agent__summary")

WORDS = {SAME: "Same", CHANGED: "Changed", "only_a": "Only A", "only_b": "Only B"}


@dataclass(frozen=True, slots=True)
class Item:
    """A row, or a stretch of equal rows that is folded: rows from `first` up to but without `after`."""

    first: int
    after: int
    is_fold: bool = False

    @property
    def size(self) -> int:
        return self.after - self.first


@dataclass(frozen=True)
class Spot:
    """Where a reader is in two replays: the row, and the stretches of equal rows that were opened."""

    a: int
    b: int
    row: int
    opened: frozenset[str]
    aligned: Alignment

    def address(self, row: int | None = None, opened: frozenset[str] | None = None) -> str:
        """The address of this spot with another row, or with other stretches open."""
        chosen = self.opened if opened is None else opened
        params: dict[str, Any] = {"a": self.a, "b": self.b, "row": (self.row if row is None else row) + 1}
        if chosen:
            params |= {"open": ",".join(sorted(chosen))}
        return f"{reverse('runs:replay-compare')}?{urlencode(params, safe=',')}"

    def maybe(self, row: int | None) -> str:
        """The address of a row; empty where there is none."""
        return "" if row is None else self.address(row)

    @cached_property
    def items(self) -> list[Item]:
        """All rows that are shown, with the folds between them."""
        items: list[Item] = []
        before = 0
        total = len(self.aligned)
        for first, after in [*self.aligned.differences, (total, total)]:
            items += self.equal_items(before, first)
            items += [Item(row, row + 1) for row in range(first, after)]
            before = after
        return items

    def equal_items(self, first: int, after: int) -> list[Item]:
        """A stretch of equal rows: folded but for its ends, unless it was opened or is where the reader is."""
        inner = (first + AROUND, after - AROUND)
        is_open = EVERYTHING in self.opened or str(inner[0] + 1) in self.opened or inner[0] <= self.row < inner[1]
        if is_open or inner[1] - inner[0] < LEAST_FOLDED:
            return [Item(row, row + 1) for row in range(first, after)]
        ends = [[Item(row, row + 1) for row in range(*part)] for part in ((first, inner[0]), (inner[1], after))]
        return [*ends[0], Item(*inner, is_fold=True), *ends[1]]

    @cached_property
    def place(self) -> int:
        """Where the row stands among the items."""
        return bisect_right(self.items, self.row, key=lambda item: item.first) - 1

    @property
    def window(self) -> Sequence[Item]:
        first = self.place // WINDOW * WINDOW
        return self.items[first : first + WINDOW]

    def neighbour(self, place: int, way: int) -> str:
        """The address of the next row in a direction from a place among the items; folds are passed over."""
        at = place + way
        while 0 <= at < len(self.items) and self.items[at].is_fold:
            at += way
        return self.address(self.items[at].first) if 0 <= at < len(self.items) else ""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two trials with the index of its steps."""

    letter: str
    trial: Trial
    index: StepIndex

    @property
    def is_final(self) -> bool:
        return self.trial.status in FINAL_STATUSES

    def steps(self, positions: Sequence[int]) -> dict[int, dict[str, Any]]:
        """Steps by their positions, each with what it cost."""
        events = events_of(self.trial, self.index.sequences(positions))
        steps = build_steps(self.index, positions, events)
        own = [[events[number] for number in sorted(self.index.sequences([at]))] for at in positions]
        reported = zip(positions, steps, own, strict=True)
        return {at: {**step, "number": at + 1, "costs": costs_of(moments)} for at, step, moments in reported}

    def detail(self, position: int | None) -> dict[str, Any] | None:
        """Everything about a step, as its replay shows it; None where this side has none."""
        if position is None:
            return None
        base = reverse("runs:replay", args=[self.trial.pk])
        return detail_of(self.trial, self.index, ReplayPosition(base, EVERYTHING, "", position, (), ()))


@signed_in("GET")
def compare_replays(request: HttpRequest) -> HttpResponse:
    """Two trials' steps side by side. Parameters: a, b (trials), row (from 1), open (stretches of equal rows, or all).

    Without `b`, the trials to choose from.
    """
    first = asked_trial(request, "a")
    if not request.GET.get("b"):
        return render(request, "runs/replay/choose.html", choices_of(request.user, first))
    second = asked_trial(request, "b")
    a, b = (Side(letter, trial, index_of(trial)) for letter, trial in (("A", first), ("B", second)))
    aligned = align_trials(a.trial, a.index, b.trial, b.index)
    context: dict[str, Any] = {"sides": (a, b), "a": a, "b": b, "total": len(aligned), "run": a.trial.run}
    context["totals"] = totals_of((a.trial, a.index), (b.trial, b.index))
    context["swap_url"] = f"{reverse('runs:replay-compare')}?{urlencode({'a': second.pk, 'b': first.pk})}"
    context["is_one_case"] = (first.challenge_key, first.case_key) == (second.challenge_key, second.case_key)
    if len(aligned):
        spot = find_spot(a, b, aligned, request.GET)
        context |= {"spot": spot, "aligned": aligned, "counts": aligned.counts(), "most": MOST_ALIGNED, **travel(spot)}
        context |= {"items": items_of(a, b, spot), "row": row_detail(a, b, spot)}
    return render_page(request, "runs/replay/compare.html", "runs/replay/_compare.html", context)


def asked_trial(request: HttpRequest, name: str) -> Trial:
    """The trial that a parameter names. Raises Http404 for users who may not see it, and for what is not a number."""
    number = request.GET.get(name, "")
    if not (number.isascii() and number.isdigit() and len(number) <= 18):
        raise Http404("No such trial.")
    return find_trial(request.user, int(number))


def find_spot(a: Side, b: Side, aligned: Alignment, query: QueryDict) -> Spot:
    """The row that is asked for; where none is, the first in which the replays part."""
    number, row = query.get("row", ""), aligned.first_difference or 0
    if number.isascii() and number.isdigit():
        row = min(max(int(number[:18]), 1), len(aligned)) - 1
    opened = frozenset(name for name in query.get("open", "").split(",") if name == EVERYTHING or name.isdigit())
    return Spot(a.trial.pk, b.trial.pk, row, opened, aligned)


def travel(spot: Spot) -> dict[str, Any]:
    """Where keys and buttons lead from a spot."""
    aligned, items, window = spot.aligned, spot.items, spot.window
    is_everything = EVERYTHING in spot.opened
    at = bisect_left(aligned.differences, spot.row + 1, key=lambda pair: pair[0])
    first = spot.place // WINDOW * WINDOW
    last = first + len(window) - 1
    return {
        "first_url": spot.address(0),
        "last_url": spot.address(len(aligned) - 1),
        "first_difference": spot.maybe(aligned.first_difference),
        "difference_before": spot.maybe(aligned.previous_difference(spot.row)),
        "difference_after": spot.maybe(aligned.next_difference(spot.row)),
        "difference_number": at if at and spot.row < aligned.differences[at - 1][1] else 0,
        "row_before": spot.neighbour(spot.place, -1),
        "row_after": spot.neighbour(spot.place, 1),
        "window_before": spot.neighbour(first, -1) if first else "",
        "window_after": spot.neighbour(last, 1) if last + 1 < len(items) else "",
        "everything_url": spot.address(opened=frozenset() if is_everything else frozenset({EVERYTHING})),
        "is_everything": is_everything,
    }


def items_of(a: Side, b: Side, spot: Spot) -> list[dict[str, Any]]:
    """The window's rows and folds, for a list."""
    rows = [spot.aligned.rows[item.first] for item in spot.window if not item.is_fold]
    steps = (
        a.steps([row.a for row in rows if row.a is not None]),
        b.steps([row.b for row in rows if row.b is not None]),
    )
    return [item_shown(item, spot, steps) for item in spot.window]


def item_shown(item: Item, spot: Spot, steps: Sequence[Mapping[int, dict[str, Any]]]) -> dict[str, Any]:
    if item.is_fold:
        opened = spot.opened | {str(item.first + 1)}
        return {"fold": item.size, "url": spot.address(item.first, opened)}
    row = spot.aligned.rows[item.first]
    a, b = (side.get(-1 if at is None else at) for side, at in zip(steps, (row.a, row.b), strict=True))
    step = a or b or {}
    return {
        "url": spot.address(item.first),
        "state": row.state,
        "word": WORDS[row.state],
        "a": a,
        "b": b,
        "type": step["type"],
        "icon": ICONS[step["type"]],
        "headline": step["headline"],
        "other": b["headline"] if a and b and a["headline"] != b["headline"] else "",
        "deltas": differ(a["costs"], b["costs"]) if a and b else (),
        "is_current": item.first == spot.row,
    }


def row_detail(a: Side, b: Side, spot: Spot) -> dict[str, Any]:
    """Both steps of the row with their parts beside each other."""
    row: AlignedSteps = spot.aligned.rows[spot.row]
    one, other = a.detail(row.a), b.detail(row.b)
    either = one or other or {}
    return {
        "number": spot.row + 1,
        "state": row.state,
        "word": WORDS[row.state],
        "headline": either["headline"],
        "type": either["type"],
        "icon": either["icon"],
        "steps": [(a, one), (b, other)],
        "groups": [
            (title, parts_of(*(step[name] if step else None for step in (one, other))))
            for title, name in (("Request", "asked"), ("Result", "answered"))
        ],
    }


def parts_of(a: Sequence[Shown] | None, b: Sequence[Shown] | None) -> list[dict[str, Any]]:
    """The members of two steps by name: alike ones once, others as lines beside each other.

    Where there is a step on one side only, its members are shown once too.
    """
    left, right = ({part.label: part for part in parts or ()} for parts in (a, b))
    parts = []
    for label in dict.fromkeys([*left, *right]):
        one, other = left.get(label), right.get(label)
        is_same = one is not None and other is not None and (one.text, one.size) == (other.text, other.size)
        is_plain = is_same or a is None or b is None
        lines = ([], []) if is_plain else compare_lines(one.text if one else "", other.text if other else "")
        sides = list(zip("AB", (one, other), lines, strict=True))
        parts.append({"label": label, "is_plain": is_plain, "one": one or other, "sides": sides})
    return parts


def choices_of(user: AnyUser, trial: Trial) -> dict[str, Any]:
    """What a trial can be compared with: others of its case in its run, and in the newest other runs of its pack."""
    rows: QuerySet[Trial] = Trial.objects.visible_to(user).select_related("run_agent", "run").defer(*UNREAD)
    here = rows.filter(run=trial.run_id, case_position=trial.case_position).exclude(pk=trial.pk)
    pack = trial.run.version.pack
    runs = Run.objects.visible_to(user).filter(version__pack=pack).exclude(pk=trial.run_id).order_by("-pk")
    same = {"case_key": trial.case_key, "challenge_key": trial.challenge_key}
    newest = list(runs.values_list("pk", flat=True)[:RUNS_SOUGHT])
    elsewhere = rows.filter(run__in=newest, **same).order_by("-run_id", "pk") if trial.case_key else rows.none()
    return {
        "trial": trial,
        "run": trial.run,
        "pack": pack,
        "lists": [
            ("In this run", here.order_by("run_agent_id", "number")[:RIVALS]),
            ("In other runs", elsewhere[:OFFERED]),
        ],
    }
