"""Trials and what they left behind."""

from typing import Any

from django.db import models

from packs.access import InTrialQuerySet
from packs.columns import DocumentField
from packs.models import VersionCase
from packs.models.searched import Searched, SearchedInRun, SearchedRow
from runs.models.runs import Run, RunAgent
from runs.replay.causes import NOT_RECORDED, RUN_BUDGET
from runs.statistics.estimates import LEFT_OUT


class TrialStatus(models.TextChoices):
    """The life of a trial. Passed, failed, undecided, error and cancelled are final; waiting is for a person.

    A held one is not in the queue yet: it waits for trials of a case that its own depends on, or for earlier ones.
    """

    HELD = "held", "Waits for other trials"
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    WAITING = "waiting", "Waits for a person"
    PASSED = "passed", "Passed"
    FAILED = "failed", "Failed"
    UNDECIDED = "undecided", "Undecided"
    ERROR = "error", "Error"
    CANCELLED = "cancelled", "Cancelled"


# A verdict was given.
# The columns that add up to what was used; what judges used up is not the agent's, but its team pays for it.
SPENT = {"cost_usd": ("cost_usd", "judge_cost_usd"), "total_tokens": ("total_tokens", "judge_tokens")}
JUDGED = [TrialStatus.PASSED, TrialStatus.FAILED]
# Why a trial was cancelled whose case had cost as much as its pack lets the trials of one cost, and why one was whose
# input set stops at the first error.
TRIAL_COST_LIMIT = "trial_cost_limit"
# Why one was cancelled whose run knows every pass rate as exactly as its launch asked for.
PRECISE_ENOUGH = "precise_enough"
STOPPED_ON_ERROR = "stopped_on_error"
# What kept cancelled trials from being tried, in words; those with any other reason somebody cancelled.
NOT_TRIED = {
    TRIAL_COST_LIMIT: "cost limit",
    PRECISE_ENOUGH: "precise enough",
    RUN_BUDGET: "budget spent",
    STOPPED_ON_ERROR: "earlier error",
    NOT_RECORDED: "nothing recorded",
}
# Trials that were not wanted any more: others of their case or run say enough.
UNWANTED = (TRIAL_COST_LIMIT, PRECISE_ENOUGH)
# Trials that nobody cancelled and that were not tried: what is missing of them leaves their run completed.
LEFT_OUT_REASONS = (*UNWANTED, NOT_RECORDED)
# Trials that nobody works on, and that may go on or be stopped.
IDLE_STATUSES = [TrialStatus.HELD, TrialStatus.QUEUED, TrialStatus.WAITING]
OPEN_STATUSES = [*IDLE_STATUSES, TrialStatus.RUNNING]
FINAL_STATUSES = [
    TrialStatus.PASSED,
    TrialStatus.FAILED,
    TrialStatus.UNDECIDED,
    TrialStatus.ERROR,
    TrialStatus.CANCELLED,
]


class OutcomeColumns(models.Model):
    """What came of one try of a trial: columns that a trial has, and each try that was replaced."""

    score = models.FloatField(null=True)
    stop_reason = models.CharField(max_length=40, blank=True)
    finish_reason = models.CharField(max_length=20, blank=True)
    fault = models.CharField(max_length=20, blank=True)
    error = models.TextField(blank=True)
    final_output = models.TextField(blank=True)
    scorecard = DocumentField(default=dict, blank=True)
    total_tokens = models.BigIntegerField(null=True)
    cost_usd = models.FloatField(null=True)
    judge_tokens = models.BigIntegerField(default=0)
    judge_cost_usd = models.FloatField(default=0.0)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


# The columns that a try which is replaced keeps.
KEPT = ["status", *(field.name for field in OutcomeColumns._meta.local_fields)]


class Trial(SearchedRow, OutcomeColumns):
    """One attempt of one agent at one case; once it has ended it can be found by its words.

    A worker claims it by a conditional update that sets `lease` (its own mark) and `lease_until`. `attempt` counts
    claims. `fault` says who is to blame, as `runs.replay.causes` has it. `case` is empty for a run without cases.
    `finish_reason` says that a reply of the agent's model was cut off: length or content_filter.
    `total_tokens`, `cost_usd` (US dollars) and `seconds` are what the agent used up, empty where nobody knows;
    `judge_tokens` and `judge_cost_usd` what its judges did, as far as it is known. `started_at` and `finished_at` are
    when a worker had it: of an imported trial, when it was graded here.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="trials", db_index=False)
    run_agent = models.ForeignKey(RunAgent, models.CASCADE, related_name="trials", db_index=False)
    case = models.ForeignKey(VersionCase, models.PROTECT, null=True, related_name="trials")
    case_position = models.PositiveIntegerField(default=0)
    case_key = models.CharField(max_length=255, blank=True)
    challenge_key = models.CharField(max_length=255, blank=True)
    number = models.PositiveIntegerField(default=1)
    status = models.CharField(max_length=20, choices=TrialStatus.choices, default=TrialStatus.QUEUED)
    event_count = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(null=True)
    attempt = models.PositiveIntegerField(default=0)
    lease = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    objects = SearchedInRun.as_manager()
    # What was cancelled says nothing of its own, and there may be very many of them at once.
    searched = Searched(
        "trial",
        "run__version__pack_id",
        ("case_key",),
        ("run_agent__name", "challenge_key", "final_output", "error"),
        due=models.Q(finished_at__isnull=False, run__deleted_at=None) & ~models.Q(status=TrialStatus.CANCELLED),
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["run_agent", "case_position", "number"], name="one_trial_per_number"),
        ]
        indexes = [
            models.Index(fields=["run", "status", "id"]),
            models.Index(fields=["status", "lease_until"]),
            # What is in a state, in the order of the grid.
            models.Index(fields=["run", "status", "case_position", "run_agent", "number"]),
        ]

    def __str__(self) -> str:
        return f"{self.case_key} #{self.number} by {self.run_agent}"

    @property
    def lacks_recording(self) -> bool:
        """Whether its events were removed, since its team keeps recordings for some time only."""
        removed_at = self.run.recordings_removed_at
        return bool(removed_at and self.finished_at and self.finished_at <= removed_at and self.event_count == 0)

    @property
    def joint_state(self) -> str:
        """What it is to a verdict over several trials: its status, or that its pack did not want it any more."""
        return joint_state(self.status, self.stop_reason)


def joint_state(status: str, stop_reason: str) -> str:
    """What a trial is to a verdict over several, by its columns."""
    return LEFT_OUT if stop_reason in UNWANTED else status


# A judge was asked about an answer, and what it said was recorded.
REPLY = "grader.opinion.recorded"


class Event(models.Model):
    """One recorded moment of a trial; `sequence` counts from 1 per trial and is the order that counts."""

    trial = models.ForeignKey(Trial, models.CASCADE, related_name="events", db_index=False)
    sequence = models.PositiveIntegerField()
    event_type = models.CharField(max_length=60)
    source = models.CharField(max_length=40)
    occurred_at = models.DateTimeField()
    payload = DocumentField(default=dict)

    objects = InTrialQuerySet.as_manager()

    class Meta:
        ordering = ["sequence"]
        constraints = [models.UniqueConstraint(fields=["trial", "sequence"], name="one_event_per_sequence")]
        indexes = [models.Index(fields=["event_type"], condition=models.Q(event_type=REPLY), name="replies_of_judges")]

    def __str__(self) -> str:
        return f"{self.sequence} {self.event_type}"

    def as_event(self) -> dict[str, Any]:
        """The shape that engine, scoring and replay share (challenge-pack h.1)."""
        return {
            "sequence_number": self.sequence,
            "event_type": self.event_type,
            "source": self.source,
            "occurred_at": self.occurred_at,
            "payload": self.payload,
        }


class Replay(models.Model):
    """The index of a long replay, stored when its trial ends: `runs.replay.StepIndex` as JSON values."""

    trial = models.OneToOneField(Trial, models.CASCADE, related_name="replay", primary_key=True)
    index = DocumentField()

    objects = InTrialQuerySet.as_manager()

    def __str__(self) -> str:
        return f"Replay of trial {self.trial_id}"


class Grade(models.Model):
    """The judgement of one grader on one trial, in the words of `runs.grading.graders`.

    `detail` holds target, expected_from and source; the compared texts stand in the trial's scorecard.
    """

    trial = models.ForeignKey(Trial, models.CASCADE, related_name="grades", db_index=False)
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=255)
    kind = models.CharField(max_length=60)
    state = models.CharField(max_length=20)
    verdict = models.CharField(max_length=20, blank=True)
    outcome = models.CharField(max_length=20, blank=True)
    score = models.FloatField(null=True)
    reason = models.TextField(blank=True)
    detail = DocumentField(default=dict, blank=True)

    objects = InTrialQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["trial", "position"], name="one_grade_per_position")]

    def __str__(self) -> str:
        return f"{self.key}: {self.verdict or self.state}"
