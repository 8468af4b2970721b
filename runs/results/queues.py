"""Queues of trials for people to review: which trials, by which rubric, who gets which, and how far they are."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import ceil
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from packs.access import Permission, roles_with
from packs.formats.characters import storable
from packs.notices import REVIEW_ASKED, Notice
from runs.grading.dealing import dealt, drawn
from runs.grading.graders.own_rubrics import document_of
from runs.grading.graders.reviews import Rubric
from runs.jobs.notices.noting import note
from runs.models import Grade, Review, ReviewClaim, ReviewQueue, ReviewRequest, Run, Trial, TrialStatus
from runs.results.causes import causes_of
from runs.results.filtering import with_words

# Trials with something to review.
REVIEWED = (TrialStatus.PASSED, TrialStatus.FAILED, TrialStatus.UNDECIDED, TrialStatus.ERROR)
MOST_TRIALS = 10_000
MOST_REVIEWERS = 20
MAX_NAME = 120


class QueueRefused(Exception):
    """A queue that cannot be made; the message says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Choice:
    """Which trials of a run: those for which every filter holds that is stated, and how many of them.

    `agent` is the id of an agent of the run, `case` words of the key of the case or its challenge, `group` the digest
    of a group of failures, `grader` the key of one that the trial failed. Of these trials `share` percent or `sample`
    are drawn by `seed`; all where neither is stated.
    """

    status: str = ""
    agent: int | None = None
    case: str = ""
    group: str = ""
    grader: str = ""
    share: int | None = None
    sample: int | None = None
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """A queue as it is asked for. `people` are the shares of its reviewers by their ids; empty for all who may."""

    name: str
    rubric: Rubric
    choice: Choice = Choice()
    needed: int = 1
    people: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a queue is: trials with all their reviews, all trials, and by person what is given, left and skipped."""

    settled: int
    trials: int
    people: Mapping[str, Mapping[str, int]]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def matching(run: Run, choice: Choice) -> list[int]:
    """The trials that the filters mean, by their ids, before any draw."""
    rows: QuerySet[Trial] = Trial.objects.filter(run=run, status__in=REVIEWED)
    if choice.status:
        rows = rows.filter(status=choice.status)
    if choice.agent is not None:
        rows = rows.filter(run_agent=choice.agent)
    if choice.grader:
        rows = rows.filter(Exists(Grade.objects.filter(trial=OuterRef("pk"), key=choice.grader, verdict="fail")))
    if choice.group:
        group = causes_of(run.version.pack, [run]).group(choice.group)
        rows = rows.filter(pk__in=[member.trial for member in group.members] if group else [])
    return list(with_words(rows, choice.case).order_by("pk").values_list("pk", flat=True))


def chosen(run: Run, choice: Choice) -> list[int]:
    """The trials of a queue by their ids: what matches, of which a part is drawn."""
    found = matching(run, choice)
    if choice.share is not None:
        return drawn(found, ceil(len(found) * choice.share / 100), choice.seed)
    return found if choice.sample is None else drawn(found, choice.sample, choice.seed)


def make_queue(run: Run, author: User, wanted: Wanted) -> ReviewQueue:
    """Ask people to review trials of a run. Raises QueueRefused."""
    name = storable(wanted.name).strip()
    if not name or len(name) > MAX_NAME:
        raise QueueRefused(f"Name the queue in at most {MAX_NAME} characters.")
    if run.review_queues.filter(name=name).exists():
        raise QueueRefused(f"This run has a queue {name!r} already.")
    people = reviewers_of(run, wanted)
    trials = chosen(run, wanted.choice)
    if not 1 <= len(trials) <= MOST_TRIALS:
        raise QueueRefused(f"{len(trials):,} trials match. A queue takes 1 to {MOST_TRIALS:,}.")
    with transaction.atomic():
        queue = ReviewQueue.objects.create(
            run=run,
            name=name,
            rubric=document_of(wanted.rubric),
            needed=wanted.needed,
            chosen=asdict(wanted.choice),
            created_by=author,
        )
        queue.people.set(people)
        fill(queue, trials, wanted)
        note(asking(queue, people or list(may_review(run)), len(trials)))
    return queue


def asking(queue: ReviewQueue, people: list[User], trials: int) -> Notice:
    """What the reviewers of a new queue are to know."""
    return Notice(
        kind=REVIEW_ASKED,
        team=queue.run.team_id,
        title=f"The queue {queue.name} asks for reviews of {trials:,} {'trial' if trials == 1 else 'trials'}.",
        place="runs:queue",
        args=(queue.pk,),
        people=frozenset(user.pk for user in people),
        by=queue.created_by_id,
        facts={"run": queue.run_id, "queue": queue.pk, "trials": trials},
    )


def reviewers_of(run: Run, wanted: Wanted) -> list[User]:
    """The people whom a queue names, who all may review in the team of the run. Raises QueueRefused."""
    most = len(wanted.people) or MOST_REVIEWERS
    if not 1 <= wanted.needed <= most:
        raise QueueRefused(f"Each trial can have 1 to {most} reviewers here.")
    if any(share < 1 for share in wanted.people.values()):
        raise QueueRefused("Give each person a share of 1 or more.")
    people = list(may_review(run).filter(pk__in=wanted.people))
    if len(people) != len(wanted.people):
        raise QueueRefused("Name only people who may review in the team of the run.")
    return people


def may_review(run: Run) -> QuerySet[User]:
    """The people who may review in the team of a run."""
    role = {"memberships__team": run.team_id, "memberships__role__in": roles_with(Permission.REVIEW)}
    return User.objects.filter(is_active=True, **role).order_by("username")


def fill(queue: ReviewQueue, trials: list[int], wanted: Wanted) -> None:
    """Ask for reviews of trials, and deal them to the people who are named."""
    now = timezone.now()
    rows = [ReviewRequest(trial_id=pk, queue=queue, needed=queue.needed, asked_at=now) for pk in trials]
    made = ReviewRequest.objects.bulk_create(rows, batch_size=500)
    if wanted.people:
        places = dealt([row.pk for row in made], wanted.people, queue.needed, wanted.choice.seed)
        claims = [ReviewClaim(request_id=pk, reviewer_id=who) for pk, people in places.items() for who in people]
        ReviewClaim.objects.bulk_create(claims, batch_size=500)


def queues_of(run: Run) -> QuerySet[ReviewQueue]:
    """The queues of a run, each with how many `trials` it has, and how many are `settled`."""
    current = Q(requests__withdrawn_at__isnull=True)
    settled = Count("requests", filter=current & Q(requests__settled_at__isnull=False))
    rows: QuerySet[ReviewQueue] = run.review_queues.annotate(trials=Count("requests", filter=current), settled=settled)
    return rows


def close_queue(queue: ReviewQueue) -> int:
    """Ask for no more reviews; what was given stays. Gives how many trials no longer wait."""
    waiting = ReviewRequest.objects.waiting().filter(queue=queue)
    return int(waiting.update(withdrawn_at=timezone.now()))


def progress_of(queue: ReviewQueue) -> Progress:
    """How far a queue is, without what was withdrawn."""
    requests = ReviewRequest.objects.current().filter(queue=queue)
    totals = requests.aggregate(trials=Count("pk"), settled=Count("pk", filter=Q(settled_at__isnull=False)))
    people: dict[str, dict[str, int]] = {name: _nothing() for name in queue.people.values_list("username", flat=True)}
    given = Review.objects.filter(request__in=requests)
    own = given.filter(request=OuterRef("request"), reviewer=OuterRef("reviewer"))
    claims = ReviewClaim.objects.filter(request__in=requests)
    dealt_left = claims.filter(
        ~Exists(own), until__isnull=True, skipped_at__isnull=True, request__settled_at__isnull=True
    )
    for column, rows in (
        ("given", given),
        ("left", dealt_left),
        ("skipped", claims.filter(skipped_at__isnull=False)),
    ):
        named = rows.exclude(reviewer=None).order_by().values_list("reviewer__username")
        for name, count in named.annotate(Count("pk")):
            people.setdefault(name, _nothing())[column] = count
    return Progress(people=dict(sorted(people.items())), **totals)


def _nothing() -> dict[str, int]:
    return {"given": 0, "left": 0, "skipped": 0}


def skips_of(queue: ReviewQueue) -> QuerySet[ReviewClaim]:
    """What people skipped of a queue that still waits, with their reasons."""
    waiting = ReviewRequest.objects.waiting().filter(queue=queue)
    skipped = ReviewClaim.objects.filter(request__in=waiting, skipped_at__isnull=False)
    rows: QuerySet[ReviewClaim] = skipped.select_related("reviewer", "request__trial__run_agent")
    return rows.defer("request__trial__scorecard", "request__trial__final_output").order_by("pk")
