"""Re-scores: the trials of a run scored again, beside their first verdicts."""

from typing import Any

from django.conf import settings
from django.db import models

from packs.access import InRunQuerySet, InTrialQuerySet
from packs.columns import DocumentField
from packs.models import PackVersion
from runs.models.runs import Run
from runs.models.trials import Trial, TrialStatus
from runs.statistics.shares import shares_of

SIDES = ("old", "new")


class RescoreStatus(models.TextChoices):
    """The life of a rescore."""

    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    COMPLETED = "completed", "Completed"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


OPEN_RESCORES = (RescoreStatus.QUEUED, RescoreStatus.RUNNING)


class Asks(models.TextChoices):
    """Which judges are asked about the stored answers."""

    NOBODY = "", "Nobody"
    MISSING = "missing", "Those that gave no answer"
    ALL = "all", "All of them"


class Probe(models.TextChoices):
    """What is shown otherwise, to find out whether judges have a bias; the values of `runs.grading.judges.probes`."""

    NONE = "", "Nothing"
    PADDED = "padded", "Answers with neutral text after them"
    SWAPPED = "swapped", "The other answer of a pair first"


class Rescore(models.Model):
    """The stored events of a run's trials, scored again; the run itself stays as it is until the verdicts are adopted.

    They are scored as `version` says (the run's own version or another one of its pack), with `evaluation` in place of
    the version's evaluation where it is not None. `asks` says which judges are asked, `connections` who answers for
    models where that is not as in the run (the shape of `Run.connections`). With a `probe` judges are shown the answers
    otherwise, and what they say never counts for the run. `summary` holds old and new figures of each
    agent at the end, and what judges used up. While it is running `lease` is the mark of the job that has it at work.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="rescores")
    version = models.ForeignKey(PackVersion, models.PROTECT, related_name="+")
    evaluation = DocumentField(null=True, blank=True)
    asks = models.CharField(max_length=10, choices=Asks.choices, default=Asks.NOBODY, blank=True)
    connections = models.JSONField(default=dict, blank=True)
    probe = models.CharField(max_length=10, choices=Probe.choices, default=Probe.NONE, blank=True)
    status = models.CharField(max_length=20, choices=RescoreStatus.choices, default=RescoreStatus.QUEUED)
    error = models.TextField(blank=True)
    trial_count = models.PositiveIntegerField(default=0)
    summary = DocumentField(default=dict, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    lease = models.CharField(max_length=64, blank=True)
    touched_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    adopted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    adopted_at = models.DateTimeField(null=True, blank=True)

    objects = InRunQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"Rescore {self.pk} of {self.run}"

    @property
    def is_by_the_run(self) -> bool:
        """Whether it scores as the run did: by its version, with the version's own evaluation, what was answered."""
        return self.version_id == self.run.version_id and self.evaluation is None and not self.probe

    @property
    def figures(self) -> dict[str, Any]:
        """The summary, with how much of what each agent was to do was judged before and now, and passed."""
        if not self.summary:
            return {}
        agents = [{**agent, **{side: _with_shares(agent[side]) for side in SIDES}} for agent in self.summary["agents"]]
        return {**self.summary, "agents": agents}


def _with_shares(side: dict[str, Any]) -> dict[str, Any]:
    shares = shares_of(side["counts"])
    return {**side, "passed": shares.passed, "judged": shares.judged, "planned": shares.planned, **shares.as_dict()}


class RescoreResult(models.Model):
    """What one trial is worth now, beside what it was worth when it was scored again.

    `has_changed` says whether verdict or score differ. A trial that left nothing to score keeps its old verdict.
    `usage` is what judges used up for it (calls, tokens, cost_usd). `events` and `grades` are those of this scoring,
    for the trial to take over; they go on after the `event_count` events that the trial had then. `ranking` holds the
    calls of ranking judges about the case, with the first of its trials.
    """

    rescore = models.ForeignKey(Rescore, models.CASCADE, related_name="results", db_index=False)
    trial = models.ForeignKey(Trial, models.CASCADE, related_name="+")
    old_status = models.CharField(max_length=20, choices=TrialStatus.choices)
    old_score = models.FloatField(null=True)
    status = models.CharField(max_length=20, choices=TrialStatus.choices)
    score = models.FloatField(null=True)
    fault = models.CharField(max_length=20, blank=True)
    error = models.TextField(blank=True)
    scorecard = DocumentField(default=dict, blank=True)
    has_changed = models.BooleanField(default=False)
    usage = models.JSONField(default=dict, blank=True)
    events = DocumentField(default=list, blank=True)
    grades = DocumentField(default=list, blank=True)
    ranking = DocumentField(default=dict, blank=True)
    event_count = models.PositiveIntegerField(default=0)

    objects = InTrialQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["rescore", "trial"], name="one_result_per_trial")]

    def __str__(self) -> str:
        return f"{self.trial}: {self.old_status} to {self.status}"
