"""Where the canary of a pack turned up: in the answers of its trials."""

from dataclasses import dataclass

from packs.editing.files import file_content
from packs.formats.document import PROOF_FILE
from packs.models import Pack
from runs.models import Trial
from runs.proof.author import read_notes
from runs.proof.canary import holds, may_hold

# How many of the newest answers are looked at for one page, and how many of those that have it are listed.
MOST_READ, MOST_LISTED = 2000, 20


@dataclass(frozen=True, slots=True)
class Sightings:
    """A canary, how many of the newest answers were read, and the trials of those that have it, the newest first."""

    canary: str
    read: int
    trials: list[int]

    @property
    def shown(self) -> list[int]:
        return self.trials[:MOST_LISTED]


def canary_of(pack: Pack) -> str:
    """The canary that stands in a draft's `proof.yaml`; empty where there is none that can be read."""
    content = file_content(pack, PROOF_FILE)
    return read_notes(content)[0].canary if content else ""


def sightings_of(pack: Pack) -> Sightings:
    """The answers in which the canary of a pack stands. An agent that says it has read the pack's own files."""
    canary = canary_of(pack)
    if not canary:
        return Sightings("", 0, [])
    rows = Trial.objects.kept().filter(run__version__pack=pack).exclude(final_output="").order_by("-pk")
    read = list(rows.values_list("pk", "final_output")[:MOST_READ])
    return Sightings(canary, len(read), [pk for pk, text in read if holds(text, canary)])


def has_canary(trial: Trial) -> bool:
    """Whether the answer of a trial has the canary of its pack."""
    return may_hold(trial.final_output) and holds(trial.final_output, canary_of(trial.run.version.pack))
