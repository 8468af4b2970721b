"""Replays from rows: windows of any replay at a cost that does not grow with it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import Cast

from packs.columns import DocumentField, as_stored
from runs.grading.graders.evidence import SCORING_SOURCE
from runs.models import Event, Replay, Trial
from runs.replay import KINDS, StepIndex, build_steps, index_steps, talk
from runs.replay.aligning import Alignment, align
from runs.replay.marks import Marks, mark_steps

# Replays that have together fewer steps than this are aligned anew each time they are looked at.
LONG_PAIR = 1000
KEPT_SECONDS = 900
MODEL_CALL = ("model.call.started", "model.call.completed")


def index_of(trial: Trial) -> StepIndex:
    """The index of a trial's steps: stored for long trials that have ended, else built from what there is so far."""
    stored = Replay.objects.filter(trial=trial).values_list("index", flat=True).first()
    if stored is not None:
        return StepIndex(**stored)
    return index_steps(event.as_event() for event in Event.objects.filter(trial=trial).order_by("sequence"))


def steps_at(trial: Trial, index: StepIndex, positions: Iterable[int]) -> list[dict[str, Any]]:
    """The steps at these positions, each with its `position`; only their own events are read."""
    chosen = list(positions)
    events = events_of(trial, index.sequences(chosen))
    steps = build_steps(index, chosen, events)
    return [{"position": position, **step} for position, step in zip(chosen, steps, strict=True)]


def events_of(trial: Trial, sequences: Iterable[int]) -> Mapping[int, dict[str, Any]]:
    """Events of a trial by their sequence numbers."""
    rows: QuerySet[Event] = Event.objects.filter(trial=trial, sequence__in=sorted(sequences))
    return {row.sequence: row.as_event() for row in rows}


def find_steps(trial: Trial, index: StepIndex, kinds: Sequence[str] = (), text: str = "") -> Sequence[int]:
    """Positions of the steps of these kinds (all when empty) whose events hold a text, without regard to case."""
    return index.select(kinds, search_events(trial, text) if text else None)


def align_trials(a: Trial, a_index: StepIndex, b: Trial, b_index: StepIndex) -> Alignment:
    """The steps of two trials beside each other. That of long ones is kept for a while, for moving about in it."""
    if len(a_index) + len(b_index) < LONG_PAIR:
        return align(marks_of(a, a_index), marks_of(b, b_index))
    key = f"alignment-{state_of(a)}-{state_of(b)}"
    kept: Alignment | None = cache.get(key)
    if kept is None:
        kept = align(marks_of(a, a_index), marks_of(b, b_index))
        cache.set(key, kept, KEPT_SECONDS)
    return kept


def marks_of(trial: Trial, index: StepIndex) -> Marks:
    """What makes the steps of a trial like those of another one; reads every event once."""
    rows = Event.objects.filter(trial=trial).order_by("sequence")
    reported = rows.values_list("sequence", "event_type", "payload").iterator(chunk_size=2000)
    return mark_steps(
        index, ({"sequence_number": n, "event_type": kind, "payload": facts} for n, kind, facts in reported)
    )


def state_of(trial: Trial) -> str:
    """A text that changes whenever the events of a trial do: more of them, a new attempt, other grades."""
    reported = Event.objects.filter(trial=trial).aggregate(count=Count("pk"), last=Max("pk"))
    ended = trial.finished_at.timestamp() if trial.finished_at else ""
    return f"{trial.pk}.{trial.attempt}.{reported['count']}.{reported['last']}.{ended}"


def answer_so_far(trial: Trial) -> str:
    """What the model of a live trial has written of the answer that it is at; empty where nothing is known of that."""
    calls = Event.objects.filter(trial=trial, event_type__in=MODEL_CALL).order_by("-sequence")
    last = calls.values_list("event_type", "sequence").first()
    if last is None or last[0] != MODEL_CALL[0]:
        return ""
    deltas = Event.objects.filter(trial=trial, sequence__gt=last[1], event_type="model.output.delta")
    texts = (payload.get("text_delta") for payload in deltas.order_by("sequence").values_list("payload", flat=True))
    return "".join(text for text in texts if isinstance(text, str))


def search_events(trial: Trial, text: str) -> list[int]:
    """Sequence numbers of the events that hold a text in their payload or type."""
    needle = as_stored(text)
    # As the text of a document the type is sought as quickly as the payload.
    rows = Event.objects.filter(trial=trial).alias(named=Cast("event_type", DocumentField()))
    rows = rows.filter(Q(payload__icontains=needle) | Q(named__icontains=needle))
    return list(rows.values_list("sequence", flat=True))


def talk_places(trial: Trial, index: StepIndex) -> Sequence[int]:
    """Positions of the steps of a trial that have something to say in a chat; all of them are before its scoring."""
    spoken = Event.objects.filter(trial=trial, event_type__in=talk.TYPES).values_list("sequence", flat=True)
    places = set(index.select(talk.KINDS)) | set(index.select((), spoken))
    end = index.kinds.find(KINDS["scoring"])
    return sorted(place for place in places if end < 0 or place < end)


def talk_at(trial: Trial, index: StepIndex, places: Sequence[int]) -> list[talk.Turn]:
    """What was said and called at these positions, turn by turn; what graders asked models is no part of it."""
    events = events_of(trial, index.sequences(places))
    steps = ([events[sequence] for sequence in sorted(index.sequences([place]))] for place in places)
    return talk.talk(own for own in steps if own[0]["source"] != SCORING_SOURCE)


def transcript(trial: Trial) -> list[dict[str, Any]]:
    """The turns of a conversation: what the user and the agent said, by whom and whether it mismatched."""
    turns: dict[int, dict[str, Any]] = {}
    rows = Event.objects.filter(trial=trial, event_type__startswith="turn.").order_by("sequence")
    for row in rows:
        number = row.payload.get("turn_index")
        if isinstance(number, int):
            tell_turn(turns.setdefault(number, {"turn_index": number}), row)
    return [turns[number] for number in sorted(turns)]


def tell_turn(turn: dict[str, Any], row: Event) -> None:
    payload = row.payload
    if row.event_type == "turn.user.message":
        turn |= {"user": payload.get("content", ""), "actor": payload.get("actor", "")}
        turn |= {"phase_id": payload.get("phase_id", ""), "sequence": row.sequence}
    elif row.event_type == "turn.assistant.message":
        turn["assistant"] = payload.get("content", "")
    elif row.event_type == "turn.completed":
        turn["mismatch"] = payload.get("mismatch") is True
    elif row.event_type == "turn.awaiting_human":
        turn |= {"awaiting_human": True, "phase_id": payload.get("phase_id", ""), "sequence": row.sequence}
