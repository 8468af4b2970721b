"""Replay: any step of a trial by its number, with the window of steps around it."""

import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.urls import reverse

from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.engine.conversation.script import HUMAN, LLM
from runs.models import Event, Trial
from runs.replay import KINDS, StepIndex, build_steps, display_status, headline_of
from runs.replay.telling import line_of
from runs.results.playback import events_of, find_steps, index_of, steps_at
from runs.results.serializers import envelope
from runs.views.trials.payloads import show, sides
from runs.views.trials.trials import cause_of, describe, find_trial

WINDOW = 100
STRIPES = 300
# The sequence number of a trial's first event.
FIRST = 1

ALL, ERROR = "all", "error"
# Names that stand for several kinds of step in `types`.
GROUPS = {
    "tool": ("tool_call", "sandbox_command", "sandbox_file"),
    "model": ("model_call",),
    ALL: tuple(KINDS),
}
# Metrics and the brackets around the calls of a step tell little, so they only show when they are asked for.
DEFAULT = tuple(kind for kind in KINDS if kind not in ("agent_step", "scoring_metric")) + (ERROR,)
PRESETS = (("Default", ""), ("Tools", "tool"), ("Errors", ERROR), ("All", ALL))
ICONS = {
    "run": "circle-play",
    "agent_step": "bot",
    "model_call": "zap",
    "tool_call": "wrench",
    "sandbox_command": "terminal",
    "sandbox_file": "file-text",
    "output": "flag",
    "scoring": "target",
    "scoring_metric": "activity",
    "event": "circle-dot",
}
# Who plays the user in a turn, by the event that comes before its message.
OPENING_ACTORS = {"turn.user.simulated": LLM, "turn.awaiting_human": HUMAN, "turn.state.captured": HUMAN}


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """Where a reader is in a replay: the position of a step, what is shown beside it and the text that is sought.

    `shown` and `hits` are positions in ascending order.
    """

    base: str
    types: str
    text: str
    position: int
    shown: Sequence[int]
    hits: Sequence[int]

    def address(self, position: int | None = None, types: str | None = None) -> str:
        """The address of this place with another step or other types."""
        chosen = self.types if types is None else types
        params = {"types": chosen, "q": self.text, "step": (self.position if position is None else position) + 1}
        return f"{self.base}?{urlencode({name: value for name, value in params.items() if value})}"

    def before(self, positions: Sequence[int]) -> str:
        """The address of the last of some positions before this one; empty when there is none."""
        found = bisect_left(positions, self.position)
        return self.address(positions[found - 1]) if found else ""

    def after(self, positions: Sequence[int]) -> str:
        """The address of the first of some positions after this one; empty when there is none."""
        found = bisect_right(positions, self.position)
        return self.address(positions[found]) if found < len(positions) else ""

    @property
    def window(self) -> Sequence[int]:
        """The part of `shown` that holds the step, or where it would stand."""
        first = min(bisect_left(self.shown, self.position), max(0, len(self.shown) - 1)) // WINDOW * WINDOW
        return self.shown[first : first + WINDOW]


def shown_positions(index: StepIndex, types: str) -> Sequence[int]:
    """The positions of the steps of some types: kinds, names of groups, and `error` for all steps with trouble."""
    names = [name for name in types.split(",") if name in KINDS or name in GROUPS or name == ERROR] or DEFAULT
    letters = {KINDS[kind] for name in names for kind in GROUPS.get(name, (name,)) if kind in KINDS}
    troubled = set(index.errors) if ERROR in names else set()
    return [
        position
        for position, letter in enumerate(index.kinds)
        if letter in letters or (troubled and position in troubled)
    ]


def asked_position(index: StepIndex, query: QueryDict, shown: Sequence[int]) -> int:
    """The step asked for by `step` (from 1) or by the number of an `event`; else the first that is shown."""
    sequence = query.get("event", "")
    if sequence.isascii() and sequence.isdigit():
        found = index.position_of(int(sequence[:18]))
        if found is not None:
            return found
    number = query.get("step", "")
    if number.isascii() and number.isdigit():
        return min(max(int(number[:18]), 1), len(index)) - 1
    return shown[0] if shown else 0


def find_place(trial: Trial, index: StepIndex, query: QueryDict) -> ReplayPosition:
    types, text = query.get("types", ""), query.get("q", "").strip()
    shown = shown_positions(index, types)
    hits: list[int] = sorted(set(find_steps(trial, index, (), text)) & set(shown)) if text else []
    position = asked_position(index, query, shown)
    if hits and not (query.get("step") or query.get("event")):
        position = hits[0]
    return ReplayPosition(reverse("runs:replay", args=[trial.pk]), types, text, position, shown, hits)


@signed_in("GET")
def replay(request: HttpRequest, pk: int) -> HttpResponse:
    """A step and its window. Parameters: step (from 1) or event (its number), types, q."""
    trial = find_trial(request.user, pk)
    index = index_of(trial)
    context = {**describe(trial, "runs:replay"), "index": index, "total": len(index)}
    if len(index):
        place = find_place(trial, index, request.GET)
        context |= {"place": place, **travel(index, place), **overview(trial, index, place)}
        context |= {"rows": rows_of(trial, index, place), "step": detail_of(trial, index, place)}
    else:
        context["cause"] = cause_of(trial)
    return render_page(request, "runs/replay/page.html", "runs/replay/_replay.html", context)


def travel(index: StepIndex, place: ReplayPosition) -> dict[str, Any]:
    """Where keys and buttons lead from a place."""
    shown, window = place.shown, place.window
    at = bisect_left(place.hits, place.position)
    return {
        "first_url": place.address(shown[0]) if shown else "",
        "last_url": place.address(shown[-1]) if shown else "",
        "step_before": place.before(shown),
        "step_after": place.after(shown),
        "error_before": place.before(index.errors),
        "error_after": place.after(index.errors),
        "hit_before": place.before(place.hits),
        "hit_after": place.after(place.hits),
        "hit_number": at + 1 if at < len(place.hits) and place.hits[at] == place.position else 0,
        "is_hidden": place.position not in window,
        "window_before": neighbour(place, window[0] if window else 0, -1),
        "window_after": neighbour(place, window[-1] if window else 0, 1),
    }


def neighbour(place: ReplayPosition, edge: int, way: int) -> str:
    """The address of the step beside an edge of the window; empty at the ends."""
    at = bisect_left(place.shown, edge) + way
    return place.address(place.shown[at]) if 0 <= at < len(place.shown) else ""


def overview(trial: Trial, index: StepIndex, place: ReplayPosition) -> dict[str, Any]:
    """The summary, the minimap and the types to choose from."""
    counts = Counter(index.kinds)
    chosen = {kind for name in place.types.split(",") for kind in GROUPS.get(name, (name,))}
    size = max(1, -(-len(index) // STRIPES))
    return {
        "counts": index.summary["counts"],
        "ends": ends_of(trial, index),
        "presets": [(name, place.address(types=types), place.types == types) for name, types in PRESETS],
        "facets": [
            (kind, ICONS[kind], counts[letter], place.address(types=toggled(place.types, kind)), kind in chosen)
            for kind, letter in KINDS.items()
            if counts[letter]
        ],
        "stripes": merged(index.minimap(STRIPES)),
        "error_stripes": sorted({position // size * size for position in index.errors}),
        "hit_stripes": sorted({position // size * size for position in place.hits}),
        "stripe": size,
        "mark": max(1, len(index) // 400),
    }


def toggled(types: str, kind: str) -> str:
    """The chosen types with a kind added or taken away; a preset gives way to the first kind chosen."""
    chosen = [name for name in types.split(",") if name in KINDS or name == ERROR]
    chosen = [name for name in chosen if name != kind] if kind in chosen else [*chosen, kind]
    return ",".join(chosen)


def merged(stripes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Stripes with neighbours of one kind joined."""
    joined: list[dict[str, Any]] = []
    for stripe in stripes:
        if joined and joined[-1]["kind"] == stripe["kind"]:
            joined[-1]["count"] += stripe["count"]
        else:
            joined.append(dict(stripe))
    return joined


def ends_of(trial: Trial, index: StepIndex) -> list[dict[str, Any]]:
    """The last end of the run and the last end of scoring; either may be missing."""
    last: dict[str, int] = {}
    for position, letter in enumerate(index.kinds):
        if letter in (KINDS["run"], KINDS["scoring"]) and index.ends[position]:
            last[letter] = position
    steps = steps_at(trial, index, last.values())
    return [{**step, "status": display_status(step)} for step in steps]


def actor_of(event: Mapping[str, Any]) -> Any:
    """Who plays the user in the turn that an event begins; empty where it does not say."""
    return OPENING_ACTORS.get(event["event_type"]) or event["payload"].get("actor", "")


def rows_of(trial: Trial, index: StepIndex, place: ReplayPosition) -> list[dict[str, Any]]:
    """The steps of the window as rows of a list."""
    hits, troubled = set(place.hits), set(index.errors)
    rows = []
    turn: int | None = None
    events = events_of(trial, {FIRST, *index.sequences(place.window)})
    origin = origin_of(events)
    for position, step in zip(place.window, build_steps(index, place.window, events), strict=True):
        number, first = step.get("turn_index"), events[step["started_sequence"]]
        line = line_of(step, [events[sequence] for sequence in sorted(index.sequences([position]))])
        rows.append(
            {
                "number": position + 1,
                "url": place.address(position),
                "type": step["type"],
                "icon": ICONS[step["type"]],
                "done": show(line.done).text,
                "answer": show(line.answer).text,
                "is_code": line.is_code,
                "offset": offset_of(trial, origin, step["occurred_at"]),
                "is_current": position == place.position,
                "is_trouble": position in troubled,
                "is_hit": position in hits,
                "turn": number + 1 if number is not None and number != turn else None,
                "phase": first["payload"].get("phase_id"),
                "actor": actor_of(first),
                "mismatch": step.get("mismatch", False),
                "is_stored": step.get("is_stored", False),
            }
        )
        turn = number if number is not None else turn
    return rows


def origin_of(events: Mapping[int, Mapping[str, Any]]) -> datetime | None:
    """When a trial began, wherever it took place, by its first event; None where that does not tell."""
    first = events.get(FIRST)
    if first is None or first["payload"].get("is_untimed") is True:
        return None
    found: datetime = first["occurred_at"]
    return found


def offset_of(trial: Trial, origin: datetime | None, moment: str) -> float | None:
    """Seconds from the start of the trial; None for what was done here with a trial that took place elsewhere."""
    at = datetime.fromisoformat(moment)
    if origin is None or trial.started_at is None or origin < trial.started_at <= at:
        return None
    return (at - origin).total_seconds()


def reported_offset(offset: float | None) -> str:
    """An offset in words; the clocks of recorded events may go back."""
    if offset is None:
        return ""
    return f"{abs(offset):,.3f} s {'before' if offset < 0 else 'after'} the start"


def detail_of(trial: Trial, index: StepIndex, place: ReplayPosition) -> dict[str, Any]:
    """Everything about the step: what was asked and answered, when, and its events as they were recorded."""
    sequences = index.sequences([place.position])
    events = events_of(trial, {FIRST, *sequences})
    own = [events[number] for number in sorted(sequences & events.keys())]
    [step] = steps_at(trial, index, [place.position])
    asked, answered = sides([event["payload"] for event in own])
    return {
        **step,
        "number": place.position + 1,
        "icon": ICONS[step["type"]],
        "status": display_status(step),
        "is_trouble": place.position in index.errors,
        "started": own[0]["occurred_at"],
        "seconds": (own[-1]["occurred_at"] - own[0]["occurred_at"]).total_seconds() if len(own) > 1 else None,
        "offset": reported_offset(offset_of(trial, origin_of(events), step["occurred_at"])),
        "asked": asked,
        "answered": answered,
        "events": [(event["sequence_number"], headline_of(event), show(envelope(event, trial))) for event in own],
        "link": place.address(),
    }


@signed_in("GET")
def event(request: HttpRequest, pk: int, sequence: int) -> HttpResponse:
    """One whole event in its envelope, as JSON."""
    trial = find_trial(request.user, pk)
    found = events_of(trial, [sequence]).get(sequence)
    if found is None:
        raise Http404("No such event.")
    text = json.dumps(envelope(found, trial), indent=2, ensure_ascii=False)
    return HttpResponse(text, content_type="application/json")


@signed_in("GET")
def events(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """All events in their order as a file, one JSON object a line."""
    trial = find_trial(request.user, pk)
    answer = StreamingHttpResponse(event_lines(trial), content_type="application/x-ndjson")
    answer["Content-Disposition"] = f'attachment; filename="trial-{trial.pk}-events.jsonl"'
    return answer


def event_lines(trial: Trial) -> Iterator[str]:
    rows = Event.objects.filter(trial=trial).order_by("sequence")
    for row in rows.iterator(chunk_size=500):
        yield json.dumps(envelope(row.as_event(), trial), ensure_ascii=False) + "\n"
