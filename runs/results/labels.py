"""What people say of the trials of a run: whether each passes, by every person and by all of them together."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from runs.grading.graders.own_rubrics import rubric_of
from runs.grading.graders.reviews import Rubric, Said
from runs.jobs.scores.reviewing import asked_about
from runs.jobs.trials.loading import tasks_of
from runs.models import Adjudication, Review, ReviewRequest, Run, Trial

# How people came to a gold verdict: one person alone, all of several, most of them, or one who decided afterwards.
SINGLE, AGREED, MAJORITY, ADJUDICATED = "single", "agreed", "majority", "adjudicated"


class Label(NamedTuple):
    """What one person says of a trial; `score` is from 0 to 1."""

    trial: int
    person: str
    passes: bool
    score: float


@dataclass(frozen=True, slots=True)
class Gold:
    """What people say of a trial together. `score` is the mean of theirs, from 0 to 1; `how` is one of the above."""

    passes: bool
    score: float
    people: int
    how: str


def labels_of(run: Run) -> list[Label]:
    """What each person says of each trial of a run, as far as its requests are settled.

    A person who reviewed a trial several times counts once, with the newest review; of trials that were tried again the
    newest try counts.
    """
    reviews = Review.objects.filter(
        request__trial__run=run, request__withdrawn_at__isnull=True, request__settled_at__isnull=False
    )
    related = reviews.select_related("reviewer", "request__trial", "request__queue")
    rows = list(related.defer("request__trial__scorecard").order_by("updated_at", "pk"))
    rubrics = _rubrics(run, {row.request_id: row.request for row in rows})
    found: dict[tuple[int, str], Label] = {}
    for row in rows:
        trial, person = row.request.trial_id, name_of(row)
        said = rubrics[row.request_id].verdict(row.scores)
        if said is not None:
            found[trial, person] = Label(trial, person, *said)
    return list(found.values())


def gold_of(run: Run) -> dict[int, Gold]:
    """What people say together of each trial of a run, by the id of the trial.

    What was adjudicated counts before what most people say; none where as many say one as the other.
    """
    labels = labels_of(run)
    people = Counter(label.trial for label in labels)
    decided = {trial: Gold(*said, people[trial], ADJUDICATED) for trial, said in _adjudicated(run)}
    return {**dict(_gold(labels)), **decided}


def _adjudicated(run: Run) -> Iterator[tuple[int, Said]]:
    """What adjudications of a run say of trials, the newest last."""
    rows = Adjudication.objects.filter(request__trial__run=run, request__withdrawn_at__isnull=True)
    for row in rows.select_related("request__queue").order_by("decided_at", "pk"):
        queue = row.request.queue
        said = rubric_of(queue.rubric).verdict(row.scores) if queue else None
        if said is not None:
            yield row.request.trial_id, said


def gold_rows(run: Run) -> list[tuple[Trial, Gold]]:
    """The trials of a run of which people say something together, in the order of the cases."""
    gold = gold_of(run)
    rows = Trial.objects.filter(pk__in=gold).select_related("run_agent", "case__input_set")
    names = ("run_agent__name", "case__input_set__key")
    shown = rows.only("run", "case_key", "number", "status", "fault", "stop_reason", *names)
    return [(row, gold[row.pk]) for row in shown.order_by("case_position", "run_agent__position", "number")]


def name_of(review: Review) -> str:
    """The name of the person who gave a review, which tells people whose account is gone apart."""
    return review.reviewer.username if review.reviewer else f"former user of review {review.pk}"


def _rubrics(run: Run, requests: Mapping[int, ReviewRequest]) -> dict[int, Rubric]:
    """What was scored, by the id of the request."""
    if not requests:
        return {}
    tasks = tasks_of(run, [request.trial for request in requests.values()])
    return {pk: asked_about(request, tasks[request.trial.case_id]).rubric for pk, request in requests.items()}


def _gold(labels: Iterable[Label]) -> Iterator[tuple[int, Gold]]:
    by_trial: dict[int, list[Label]] = {}
    for label in labels:
        by_trial.setdefault(label.trial, []).append(label)
    for trial, said in by_trial.items():
        passing = sum(label.passes for label in said)
        if 2 * passing != len(said):
            how = SINGLE if len(said) == 1 else AGREED if passing in (0, len(said)) else MAJORITY
            yield trial, Gold(2 * passing > len(said), fmean(label.score for label in said), len(said), how)
