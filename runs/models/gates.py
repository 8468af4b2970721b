"""Gates: what they ask of runs, what they said, and when they are due."""

from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from packs.access import FrozenInPackQuerySet, InPackQuerySet, InRunQuerySet, InTrialQuerySet
from packs.columns import DocumentField
from packs.models import Pack
from packs.models.versions import Frozen
from runs.models.agents import Agent
from runs.models.runs import Run, RunAgent
from runs.models.trials import Trial


class Gate(models.TextChoices):
    """The gates that there are (task-suite 7.1)."""

    MERGE = "ci_merge_gate", "Merge gate"
    NIGHTLY = "nightly", "Nightly"
    RELEASE = "release_candidate", "Release"


class GateVerdict(models.TextChoices):
    """What a gate says. Incomplete means that something decisive could not be judged."""

    PASS = "pass", "Passed"
    FAIL = "fail", "Failed"
    INCOMPLETE = "incomplete", "Incomplete"


class TrialFacts(models.Model):
    """What gates have to know of a trial beside its verdict, in the shapes of `runs.gates.facts.Facts`.

    `ended_at` is when the trial ended that these facts are of: a trial that was tried again has others.
    """

    trial = models.OneToOneField(Trial, models.CASCADE, related_name="facts", primary_key=True)
    ended_at = models.DateTimeField()
    latencies = DocumentField(default=list)
    tools = DocumentField(default=dict)
    violations = DocumentField(default=list)
    wall_seconds = models.FloatField(null=True)
    cost_usd = models.FloatField(null=True)

    objects = InTrialQuerySet.as_manager()

    def __str__(self) -> str:
        return f"Facts of trial {self.trial_id}"


class GateSettings(models.Model):
    """The policy of a gate of a pack whose format states none: keys as in a task suite's configuration."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="gate_settings")
    gate = models.CharField(max_length=40, choices=Gate.choices)
    section = DocumentField(default=dict)
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pack", "gate"], name="one_policy_per_gate")]

    def __str__(self) -> str:
        return f"{self.get_gate_display()} of {self.pack}"


class GateRequest(models.Model):
    """A verdict that is wanted once a run has ended. `baseline` replaces the policy's choice where it is not empty.

    `repeats` counts how often trials that ended as errors were tried again for it; `touched_at` is when its job was
    sent last, `trouble` why there is no verdict.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="gate_requests")
    gate = models.CharField(max_length=40, choices=Gate.choices)
    baseline = models.ForeignKey(Run, models.SET_NULL, null=True, blank=True, related_name="+")
    repeats = models.PositiveSmallIntegerField(default=0)
    touched_at = models.DateTimeField(null=True, blank=True)
    trouble = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = InRunQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["run", "gate"], name="one_request_per_gate")]

    def __str__(self) -> str:
        return f"{self.get_gate_display()} for run {self.run_id}"


class GateCheckQuerySet(FrozenInPackQuerySet):
    """Verdicts, which go into the bin with their runs."""

    bin_path = "run__deleted_at"


class GateCheck(Frozen):
    """What a gate said of one agent of a run: written once.

    `policy` is what was asked (`GatePolicy.as_dict`), `policy_source` where it came from: version, settings, defaults.
    `members`, `conditions` and `suites` are documents of `runs.gates`. `run_ended_at` tells a run that went on and
    ended again from what it was. `branch` and `commit` are what the pipeline said of the candidate.
    """

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="gate_checks")
    run = models.ForeignKey(Run, models.CASCADE, related_name="gate_checks")
    run_agent = models.ForeignKey(RunAgent, models.CASCADE, related_name="gate_checks")
    gate = models.CharField(max_length=40, choices=Gate.choices)
    verdict = models.CharField(max_length=20, choices=GateVerdict.choices)
    blocking = models.BooleanField()
    exit_code = models.PositiveSmallIntegerField()
    baseline = models.ForeignKey(Run, models.SET_NULL, null=True, related_name="+")
    policy = DocumentField()
    policy_source = models.CharField(max_length=20)
    conditions = DocumentField()
    members = DocumentField()
    suites = DocumentField()
    warnings = DocumentField(default=list)
    branch = models.CharField(max_length=255, blank=True)
    commit = models.CharField(max_length=255, blank=True)
    run_ended_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = GateCheckQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["pack", "gate", "-id"]),
            models.Index(fields=["run", "gate"]),
        ]

    def __str__(self) -> str:
        return f"{self.get_gate_display()} of run {self.run_id}: {self.get_verdict_display()}"

    @property
    def failed(self) -> list[dict[str, Any]]:
        """The conditions that failed."""
        return [condition for condition in self.conditions if condition["status"] == "fail"]


class Release(models.Model):
    """A run that a release was made with: later releases are compared with it (task-suite 7.3)."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="releases")
    run = models.ForeignKey(Run, models.CASCADE, related_name="releases")
    name = models.CharField(max_length=120)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name


# How many hours may lie between the runs of a day, so that they lie equally far apart over midnight as well.
STEPS = (1, 2, 3, 4, 6, 8, 12)


class GateSchedule(models.Model):
    """When runs for a gate start by themselves: at a time of the day in a time zone, on some days of the week.

    `weekdays` are digits from 1 (Monday) to 7. With a `month_day` they do not count: then it is that day of each month,
    the last one of a month that is shorter. With `every_hours`, one of STEPS, it is due so often on its days, at the
    hours that are whole steps away from `hour`. `owner` is who the runs are started by; the schedule rests when that
    user may not run any more, and `trouble` says why the last start was refused. `input_set` is a key, or `all`.
    """

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="gate_schedules")
    gate = models.CharField(max_length=40, choices=Gate.choices, default=Gate.NIGHTLY)
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="gate_schedules")
    input_set = models.CharField(max_length=255, blank=True)
    hour = models.PositiveSmallIntegerField(default=2)
    minute = models.PositiveSmallIntegerField(default=0)
    weekdays = models.CharField(max_length=7, default="1234567")
    month_day = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(31)]
    )
    every_hours = models.PositiveSmallIntegerField(null=True, blank=True, choices=[(step, step) for step in STEPS])
    zone = models.CharField(max_length=64, default="UTC")
    branch = models.CharField(max_length=255, blank=True)
    is_on = models.BooleanField(default=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    last_run = models.ForeignKey(Run, models.SET_NULL, null=True, related_name="+")
    last_started_at = models.DateTimeField(null=True)
    trouble = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.get_gate_display()} of {self.pack} at {self.hour:02}:{self.minute:02} {self.zone}"

    @property
    def shown_run(self) -> Run | None:
        """The run that was started last; none where that lies in the bin."""
        return self.last_run if self.last_run is not None and self.last_run.deleted_at is None else None
