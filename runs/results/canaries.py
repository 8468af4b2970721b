"""Where the canary of a pack turned up: in the answers of its trials, and in what their agents did."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import orjson

from packs.editing.files import file_content
from packs.formats.document import PROOF_FILE
from packs.models import Pack
from runs.engine.events import AGENT_TYPES
from runs.grading.graders.evidence import is_of_judges
from runs.models import Event, Trial
from runs.proof.author import read_notes
from runs.proof.canary import UUID, holds, may_hold

# How many of the newest trials are looked at for one page, how many events of them about, and how many of those trials
# that have it are listed.
MOST_READ, MOST_EVENTS, MOST_LISTED = 2000, 20_000, 20
# What an agent did, said and left. A request to a model repeats what was said before, and parts of a reply come whole.
_TOLD = AGENT_TYPES - {"model.call.started", "model.output.delta"} | {
    "turn.assistant.message",
    "workspace.captured",
    "workspace.changed",
}


@dataclass(frozen=True, slots=True)
class Sightings:
    """A canary, of how many of the newest trials the answers and the events were read, and the trials that have it, the
    newest first."""

    canary: str
    answers: int
    followed: int
    trials: list[int]

    @property
    def shown(self) -> list[int]:
        return self.trials[:MOST_LISTED]


def canary_of(pack: Pack) -> str:
    """The canary that stands in a draft's `proof.yaml`; empty where there is none that can be read."""
    content = file_content(pack, PROOF_FILE) or b""
    return read_notes(content)[0].canary if b"canary" in content else ""


def sightings_of(pack: Pack) -> Sightings:
    """The trials in which the canary of a pack stands. An agent that says or finds it has read the pack's own files."""
    canary = canary_of(pack)
    if not canary:
        return Sightings("", 0, 0, [])
    rows = Trial.objects.kept().filter(run__version__pack=pack).exclude(final_output="", event_count=0).order_by("-pk")
    read = list(rows.values_list("pk", "final_output", "event_count")[:MOST_READ])
    found = {pk for pk, text, _ in read if holds(text, canary)}
    totals = list(accumulate(count for _, _, count in read))
    followed = [pk for (pk, _, count), total in zip(read, totals, strict=True) if total - count < MOST_EVENTS]
    found |= _that_tell(followed, canary)
    answers = sum(text != "" for _, text, _ in read)
    return Sightings(canary, answers, len(followed), sorted(found, reverse=True))


def place_of_canary(trial: Trial) -> str:
    """Where a trial has the canary of its pack: `answer`, `events`, or empty."""
    if not (may_hold(trial.final_output) or trial.event_count):
        return ""
    canary = canary_of(trial.run.version.pack)
    if holds(trial.final_output, canary):
        return "answer"
    return "events" if canary and _that_tell([trial.pk], canary) else ""


def _that_tell(trials: Sequence[int], canary: str) -> set[int]:
    """Those of some trials whose agents said, did or left something with a canary."""
    own = re.search(UUID, canary)
    if own is None or not trials:
        return set()
    # The database passes over events without its last part; the few that it leaves over are read.
    rows = Event.objects.filter(trial__in=trials, event_type__in=_TOLD, payload__icontains=own[0][-12:]).order_by()
    return {
        event.trial_id
        for event in rows.iterator()
        if not is_of_judges(event.as_event()) and holds(orjson.dumps(event.payload).decode(), canary)
    }
