"""The rows of evaluation: agents, runs, trials and what they left behind."""

from typing import Any

from django.conf import settings
from django.db import models

from packs.access import InRunQuerySet, InTrialQuerySet, TeamScopedQuerySet
from packs.columns import DocumentField
from packs.models import PackVersion, Team, VersionCase, VersionInputSet


class Agent(models.Model):
    """A system under test, as configured by a user. `kind` is a key of `runs.agents.AGENTS`."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="agents")
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=40)
    config = DocumentField(default=dict, blank=True)
    is_active = models.BooleanField(default=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = TeamScopedQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["team", "name"], name="one_agent_per_name")]

    def __str__(self) -> str:
        return self.name


class RunStatus(models.TextChoices):
    """The life of a run."""

    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    SCORING = "scoring", "Scoring"
    COMPLETED = "completed", "Completed"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


class Run(models.Model):
    """One launch of a version's input set. `input_set` is empty only for a version that has none.

    `selection` says how the input set was chosen: given, only_one or none. `counts` is a cache of trials per status
    that is made anew whenever trials finish. `scorecard` is the run-level document of challenge-pack h.6;
    `max_iterations` replaces the step limit of the version. `enqueued_at` says when jobs were last sent for this run.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="runs")
    version = models.ForeignKey(PackVersion, models.PROTECT, related_name="runs")
    input_set = models.ForeignKey(VersionInputSet, models.PROTECT, null=True, related_name="runs")
    selection = models.CharField(max_length=20, default="given")
    name = models.CharField(max_length=300)
    status = models.CharField(max_length=20, choices=RunStatus.choices, default=RunStatus.QUEUED)
    trials_per_case = models.PositiveIntegerField(default=1)
    trial_count = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict, blank=True)
    max_iterations = models.PositiveIntegerField(null=True, blank=True)
    scorecard = DocumentField(default=dict, blank=True)
    idempotency_key = models.CharField(max_length=200, blank=True)
    metadata = DocumentField(default=dict, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    enqueued_at = models.DateTimeField(null=True, blank=True)

    objects = TeamScopedQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["team", "created_by", "idempotency_key"],
                condition=~models.Q(idempotency_key=""),
                name="one_run_per_idempotency_key",
            ),
        ]
        indexes = [models.Index(fields=["team", "-id"]), models.Index(fields=["status"])]

    def __str__(self) -> str:
        return self.name


class RunAgent(models.Model):
    """One agent entered in a run, with its configuration as it was at launch."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="agents")
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, related_name="entries")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=40)
    config = DocumentField(default=dict, blank=True)
    summary = DocumentField(default=dict, blank=True)

    objects = InRunQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["run", "position"], name="one_agent_per_position")]

    def __str__(self) -> str:
        return self.name


class TrialStatus(models.TextChoices):
    """The life of a trial. Passed, failed, undecided, error and cancelled are final."""

    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    PASSED = "passed", "Passed"
    FAILED = "failed", "Failed"
    UNDECIDED = "undecided", "Undecided"
    ERROR = "error", "Error"
    CANCELLED = "cancelled", "Cancelled"


FINAL_STATUSES = [
    TrialStatus.PASSED,
    TrialStatus.FAILED,
    TrialStatus.UNDECIDED,
    TrialStatus.ERROR,
    TrialStatus.CANCELLED,
]


class Trial(models.Model):
    """One attempt of one agent at one case.

    A worker claims it by a conditional update that sets `lease` (its own mark) and `lease_until`. `attempt` counts
    claims. `fault` says whose an error is: machine, pack or agent. `case` is empty for a run without cases.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="trials", db_index=False)
    run_agent = models.ForeignKey(RunAgent, models.CASCADE, related_name="trials", db_index=False)
    case = models.ForeignKey(VersionCase, models.PROTECT, null=True, related_name="trials")
    case_position = models.PositiveIntegerField(default=0)
    case_key = models.CharField(max_length=255, blank=True)
    challenge_key = models.CharField(max_length=255, blank=True)
    number = models.PositiveIntegerField(default=1)
    status = models.CharField(max_length=20, choices=TrialStatus.choices, default=TrialStatus.QUEUED)
    score = models.FloatField(null=True)
    stop_reason = models.CharField(max_length=40, blank=True)
    fault = models.CharField(max_length=20, blank=True)
    error = models.TextField(blank=True)
    final_output = models.TextField(blank=True)
    scorecard = DocumentField(default=dict, blank=True)
    event_count = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField(default=0)
    lease = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = InRunQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["run_agent", "case_position", "number"], name="one_trial_per_number"),
        ]
        indexes = [
            models.Index(fields=["run", "status", "id"]),
            models.Index(fields=["status", "lease_until"]),
        ]

    def __str__(self) -> str:
        return f"{self.case_key} #{self.number} by {self.run_agent}"


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
    """The judgement of one grader on one trial, in the words of `runs.graders`.

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


class WorkerBeat(models.Model):
    """A sign of life of one worker process, written every few seconds."""

    name = models.CharField(max_length=255, unique=True)
    seen_at = models.DateTimeField()
    started_at = models.DateTimeField()
    slots = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return self.name
