"""What a trial that waits for a person leaves behind, and how it goes on."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Max
from django.utils import timezone

from packs.formats.characters import storable
from packs.formats.later import Later
from runs.models import Event, HumanTurn, Trial
from runs.models.turns import storable_files

if TYPE_CHECKING:
    from runs.engine.conversation import waiting
else:
    # Who starts runs sends jobs, and has nobody to wait for.
    waiting = Later("runs.engine.conversation.waiting")


def ask_people(waits: Iterable[tuple[Trial, int, "waiting.Wait"]]) -> None:
    """Note what people are asked: trial, number of the event that asks, and what. Their time begins now."""
    now = timezone.now()
    rows = [
        HumanTurn(
            trial=trial,
            turn_index=wait.turn,
            phase_id=storable(wait.phase)[:255],
            hint=storable(wait.hint),
            sequence=sequence,
            asked_at=now,
            due_at=now + timedelta(seconds=wait.seconds),
            files=storable_files(wait.files),
        )
        for trial, sequence, wait in waits
    ]
    HumanTurn.objects.bulk_create(rows)


def kept_events(trials: Sequence[int]) -> dict[int, int]:
    """How many events of trials that waited for people are kept when what came after them is lost."""
    asked = HumanTurn.objects.filter(trial__in=trials).order_by()
    return dict(asked.values_list("trial").annotate(last=Max("sequence")))


def forget_turns(trials: Sequence[int]) -> None:
    """Remove what people were asked and said, so that trials begin anew."""
    HumanTurn.objects.filter(trial__in=trials).delete()


def resumptions_of(trials: Sequence[Trial]) -> "dict[int, waiting.Resumption]":
    """How trials go on that waited for people, by their id; trials that never did are left out."""
    begun = [trial.pk for trial in trials if trial.event_count]
    asked = HumanTurn.objects.filter(trial__in=begun).order_by("sequence")
    latest = {turn.trial_id: turn for turn in asked}
    return {key: resumption_of(turn) for key, turn in latest.items()}


def resumption_of(turn: HumanTurn) -> "waiting.Resumption":
    rows = Event.objects.filter(trial=turn.trial_id, sequence__lte=turn.sequence).order_by("sequence")
    answer = turn.text if turn.answered_at else None
    return waiting.Resumption([row.as_event() for row in rows], answer, turn.kept_files())
