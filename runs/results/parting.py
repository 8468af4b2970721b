"""Where trials that failed part from one that passed the same case: the first step that differs, in words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.core.cache import cache

from runs.models import Trial, TrialStatus
from runs.replay import KINDS, StepIndex, build_steps
from runs.replay.aligning import CHANGED, SAME, AlignedSteps, Alignment, align
from runs.replay.marks import Marks
from runs.replay.vocabulary import FAILED
from runs.results.playback import events_of, index_of, marks_of

# So many failures are compared for one page, as long as they have no more events than this together.
MOST_COMPARED = 300
MOST_EVENTS = 100_000
KEPT_SECONDS = 24 * 3600
# What steps are called that have no name of their own.
NAMES = {"model_call": "the model", "output": "the final answer", "sandbox_command": "a command", "run": "the end"}


class Parting(NamedTuple):
    """Where a trial parts from one that passed: the step's name, what is different, and the row of both replays."""

    source: str
    said: str
    row: int


@dataclass(frozen=True, slots=True)
class Seen:
    """A trial up to its judgement, with what makes its steps alike."""

    trial: Trial
    index: StepIndex
    marks: Marks

    def step(self, position: int) -> dict[str, Any]:
        events = events_of(self.trial, self.index.sequences([position]))
        return build_steps(self.index, [position], events)[0]


def passed_beside(runs: Iterable[int], cases: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """The newest trial of runs that passed each case, by its challenge and key."""
    keys = {key for _, key in cases}
    rows = Trial.objects.filter(run__in=runs, status=TrialStatus.PASSED, case_key__in=keys).order_by("pk")
    return {(challenge, key): pk for pk, challenge, key in rows.values_list("pk", "challenge_key", "case_key")}


def partings(pairs: Sequence[tuple[int, int]]) -> dict[int, Parting]:
    """Where trials part: `pairs` are trials that failed, each with one that passed. What is found is kept for a day.

    Reads all events of what is compared: that of the first pairs, within the limits of this module.
    """
    chosen = pairs[:MOST_COMPARED]
    columns = ("pk", "attempt", "event_count", "finished_at")
    rows = Trial.objects.only(*columns).in_bulk({trial for pair in chosen for trial in pair})
    keys = {pair: "-".join(["parting", *(_state(rows[pk]) for pk in pair)]) for pair in chosen}
    kept = cache.get_many(keys.values())
    found: dict[int, Parting] = {}
    fresh: dict[str, Parting | None] = {}
    seen: dict[int, Seen] = {}
    left = MOST_EVENTS
    for pair, key in keys.items():
        failed, passed = pair
        if key not in kept:
            left -= sum(rows[pk].event_count for pk in pair if pk not in seen)
            if left < 0:
                break
            seen[passed] = seen.get(passed) or _seen(rows[passed])
            fresh[key] = kept[key] = _parting(seen[passed], _seen(rows[failed]))
        if kept[key]:
            found[failed] = kept[key]
    cache.set_many(fresh, KEPT_SECONDS)
    return found


def _state(trial: Trial) -> str:
    """A text that changes when what an agent did at a trial does."""
    return f"{trial.pk}.{trial.attempt}.{trial.event_count}.{trial.finished_at and trial.finished_at.timestamp()}"


def _seen(trial: Trial) -> Seen:
    """A trial up to its judgement: what graders do follows from what the agent did."""
    index = index_of(trial)
    marks = marks_of(trial, index)
    end = index.kinds.find(KINDS["scoring"])
    if end >= 0:
        marks = Marks(marks.names[:end], marks.deeds[:end], marks.wholes[:end])
    return Seen(trial, index, marks)


def _parting(passed: Seen, failed: Seen) -> Parting | None:
    aligned = align(passed.marks, failed.marks)
    row = first_telling(aligned, failed.index)
    if row is None:
        return None
    return Parting(*_described(passed, failed, aligned, row), row)


def first_telling(aligned: Alignment, index: StepIndex) -> int | None:
    """The first row that differs in more than the words of a model; where there is none, the first that differs."""

    def is_wording(row: AlignedSteps) -> bool:
        return row.state == CHANGED and row.b is not None and index.kinds[row.b] == KINDS["model_call"]

    places = (place for first, after in aligned.differences for place in range(first, after))
    return next((place for place in places if not is_wording(aligned.rows[place])), aligned.first_difference)


def _described(passed: Seen, failed: Seen, aligned: Alignment, place: int) -> tuple[str, str]:
    """The name of the step, and a sentence on what is different in the trial that failed."""
    row = aligned.rows[place]
    if row.a is not None and row.b is not None:
        step = failed.step(row.b)
        name = _name(step)
        if step["status"] == "failed" and passed.index.states[row.a] != FAILED:
            return name, f"{name} fails"
        is_deed = passed.marks.deeds[row.a] != failed.marks.deeds[row.b]
        return name, f"{name} with {'other input' if is_deed else 'another result'}"
    missing, added = _gap(aligned.rows, place)
    was = "" if missing is None else _name(passed.step(missing))
    now = "" if added is None else _name(failed.step(added))
    if was and now:
        return now, f"{now} in place of {was}"
    return (now, f"{now} in addition") if now else (was, f"without {was}")


def _gap(rows: Sequence[AlignedSteps], place: int) -> tuple[int | None, int | None]:
    """The first step of each side between the rows of both that are around a row of one side."""
    missing = added = None
    for row in rows[place:]:
        if row.state in (SAME, CHANGED):
            break
        missing = row.a if missing is None else missing
        added = row.b if added is None else added
    return missing, added


def _name(step: dict[str, Any]) -> str:
    return str(step.get("tool_name") or NAMES.get(step["type"]) or step["headline"])
