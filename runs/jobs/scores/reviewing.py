"""People review trials; once enough of them did, the trial is judged again from its stored events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from packs.formats.characters import storable
from packs.formats.task import Task
from runs.engine.events import REVIEWED
from runs.grading.graders import REVIEWS
from runs.grading.graders.own_rubrics import rubric_of
from runs.grading.graders.reviews import Aspect, Rubric, Unreadable
from runs.jobs.scores.rejudging import hold, judge_anew
from runs.jobs.trials.loading import tasks_of
from runs.models import FINAL_STATUSES, Review, ReviewRequest, RunStatus

MAX_COMMENT = 20_000


class ReviewRefused(Exception):
    """A review that cannot be taken. `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request is about: the task of its trial, and what is to be scored."""

    task: Task
    rubric: Rubric

    @property
    def aspects(self) -> Sequence[Aspect]:
        return self.rubric.aspects


def asked_of(request: ReviewRequest) -> Asked:
    """What a reviewer is asked; no aspects where the version's task has no such grader that people judge."""
    return asked_about(request, tasks_of(request.trial.run, [request.trial])[request.trial.case_id])


def asked_about(request: ReviewRequest, task: Task) -> Asked:
    """The same, where the task of the trial is known."""
    if request.queue is not None:
        return Asked(task, rubric_of(request.queue.rubric))
    spec = next((spec for spec in task.graders if spec.key == request.grader_key and spec.kind in REVIEWS), None)
    return Asked(task, REVIEWS[spec.kind](spec) if spec else Rubric())


def review(request: ReviewRequest, user: User, scores: Mapping[str, Any], comment: str = "") -> bool:
    """Take what a person says of a trial, in place of what they said before; True when that was the last review needed.

    Where a grader asked for it, the trial is then judged again in the same transaction, so of reviews given at once
    each counts, and the trial is judged with them once. Raises ReviewRefused.
    """
    with transaction.atomic():
        run, found = hold(request.trial.run_id), waiting(request)
        if found.queue is None and run.status == RunStatus.SCORING:
            raise ReviewRefused("run_being_scored", "The run is being scored just now: send the review once more.")
        if not ReviewRequest.objects.open_to(user).filter(pk=found.pk).exists():
            raise ReviewRefused("not_a_reviewer", "The queue names other people as its reviewers.")
        asked = asked_of(found)
        given = read_scores(asked.rubric, scores, found.trial.final_output)
        values = {"scores": given, "comment": storable(comment)}
        Review.objects.update_or_create(request=found, reviewer=user, defaults=values)
        found.claims.filter(reviewer=user).update(skipped_at=None, reason="")
        reviews = list(found.reviews.select_related("reviewer"))
        if len(reviews) < found.needed:
            return False
        if found.queue is None:
            judge_with(found, asked.task, reviews)
        ReviewRequest.objects.filter(pk=found.pk).update(settled_at=timezone.now())
    return True


def waiting(request: ReviewRequest) -> ReviewRequest:
    """The request as it is now. Raises ReviewRefused where it takes no more reviews."""
    rows = ReviewRequest.objects.waiting().select_related("trial__run", "queue")
    found: ReviewRequest | None = rows.filter(pk=request.pk).first()
    if found is None or found.trial.status not in FINAL_STATUSES:
        raise ReviewRefused("review_closed", "This trial takes no more reviews.")
    return found


def read_scores(rubric: Rubric, scores: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """The scores of a review as they are kept. Raises ReviewRefused."""
    if not rubric.aspects:
        raise ReviewRefused("nothing_to_review", "The pack does not say any more what people review here.")
    try:
        return rubric.read(scores, answer)
    except Unreadable as wrong:
        raise ReviewRefused("invalid_scores", str(wrong)) from wrong


def judge_with(request: ReviewRequest, task: Task, reviews: Sequence[Review]) -> None:
    """Judge the trial again with the reviews, and let the run know. Raises ReviewRefused."""
    payload = {"validator_key": request.grader_key, "human": [said(request, row) for row in reviews]}
    if not judge_anew(request.trial, task, REVIEWED, payload):
        raise ReviewRefused("not_judgeable", "The trial left nothing that could be judged again.")


def said(request: ReviewRequest, row: Review) -> dict[str, Any]:
    """A review in the words of a trial record (task-suite 8.2)."""
    return {
        "grader": request.grader_key,
        "score": row.score,
        "scores": row.scores,
        "reviewer": row.reviewer.username if row.reviewer else "",
        "rationale": row.comment,
        "given_at": row.updated_at.isoformat(),
    }
