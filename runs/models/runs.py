"""Runs and the agents entered in them."""

import re

from django.conf import settings
from django.db import models
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, NullIf

from packs.access import InRunQuerySet
from packs.columns import DocumentField
from packs.models import PackVersion, Team, VersionInputSet
from packs.models.searched import Searched, SearchedRow, SearchedRuns
from runs.models.agents import Agent
from runs.models.connections import Connection
from runs.statistics.shares import Shares, shares_of

# The selection of a run that runs every input set of its version.
ALL_SETS = "all"
# Where the metadata of a run says what checkers may run.
TESTER = "tester_policy"


class RunStatus(models.TextChoices):
    """The life of a run. A paused one begins no trial until it is resumed."""

    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    SCORING = "scoring", "Scoring"
    COMPLETED = "completed", "Completed"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


ENDED_RUNS = (RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELLED)
ACTIVE_RUNS = tuple(status for status in RunStatus if status not in ENDED_RUNS)


class ResponseCache(models.TextChoices):
    """What a run does with the replies of models that its team keeps."""

    OFF = "off", "Off"
    READ = "read", "Read"
    WRITE = "write", "Read and write"


# The name of a run that nobody named: its moment, as launching and importing write it.
UNNAMED = re.compile(r"(Run|Imported) \d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)")


def title_of(number: int, name: str) -> str:
    """What a run is called: its name, or its number where nobody named it, since its moment is shown anyway."""
    unnamed = UNNAMED.fullmatch(name)
    if unnamed is None:
        return name
    return f"Run {number}" if unnamed[1] == "Run" else f"Imported run {number}"


def default_concurrency() -> int:
    """How many trials of a run may be at work at once unless its launch says otherwise."""
    return int(settings.RUN_CONCURRENCY)


def counted(status: str) -> Coalesce:
    """How many trials of a status `counts` has; 0 where it has none."""
    return Coalesce(Cast(KT(f"counts__{status}"), models.IntegerField()), 0)


PASSED, FAILED = counted("passed"), counted("failed")


class Run(SearchedRow):
    """One launch of a version's input set. `input_set` is empty for a version that has none, and for a run of all.

    `selection` says how the input set was chosen: given, all, only_one or none. `trials_per_case` is the largest number
    of trials of any case; `TrialPlan` has what packs say of each. `counts` is a copy of what `trial_counts_of` says of
    its trials by status, made whenever some finish; `pass_share` is the pass rate of `trial_shares`, made of it by the
    database so that lists can be sorted by it. `scorecard` is the run-level document of challenge-pack h.6;
    `max_iterations` replaces the step limit of the version. `concurrency` is how many of its trials may be at work at
    once. `connections` says who answers for models that the pack names, where that was chosen at launch: model name ->
    `{"connection": id, "model": the connection's name for it}`. `budgets` is what all of its trials together may use
    up, as `runs.engine.run_budgets.RunBudgets` reads it; `set_limits` what the pack says of single input sets, by their
    id: `{"cost_usd": all of its trials together, "stops_on_error": true}`. `enqueued_at` says when jobs were last sent
    for this run.
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
    pass_share = models.GeneratedField(
        expression=Cast(PASSED, models.FloatField()) / NullIf(PASSED + FAILED, 0),
        output_field=models.FloatField(null=True),
        db_persist=True,
    )
    max_iterations = models.PositiveIntegerField(null=True, blank=True)
    concurrency = models.PositiveIntegerField(default=default_concurrency)
    response_cache = models.CharField(max_length=10, choices=ResponseCache.choices, default=ResponseCache.OFF)
    budgets = models.JSONField(default=dict, blank=True)
    set_limits = models.JSONField(default=dict, blank=True)
    connections = models.JSONField(default=dict, blank=True)
    scorecard = DocumentField(default=dict, blank=True)
    idempotency_key = models.CharField(max_length=200, blank=True)
    # SHA-256 of the request that brought the key; empty where none is known.
    request_digest = models.CharField(max_length=64, blank=True)
    metadata = DocumentField(default=dict, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    enqueued_at = models.DateTimeField(null=True, blank=True)
    # When recordings of its trials were removed last (`runs.retention`).
    recordings_removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # How many bytes its recordings take (`runs.quotas`); empty until it has ended and that was measured.
    recorded_bytes = models.PositiveBigIntegerField(null=True, blank=True, editable=False)
    # Since when it lies in the bin, alone or with its pack, and who put it there.
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    deleted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False, related_name="+"
    )
    # Since when it is deleted for ever, which may take a while; it does not come back from then on.
    purge_began_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = SearchedRuns.as_manager()
    searched = Searched("run", "version__pack_id", ("name", "pk"), ("metadata",))

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["team", "created_by", "idempotency_key"],
                condition=~models.Q(idempotency_key=""),
                name="one_run_per_idempotency_key",
            ),
        ]
        indexes = [
            models.Index(fields=["team", "-id"]),
            models.Index(fields=["team", "status"]),
            models.Index(fields=["team", "pass_share"]),
            models.Index(fields=["status"]),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        return title_of(self.pk, self.name)

    @property
    def trial_shares(self) -> Shares:
        """The shares of its trials, of all agents together."""
        return shares_of(self.counts or {})

    @property
    def has_limits(self) -> bool:
        """Whether what its trials used up or how they ended may keep others from beginning."""
        return bool(self.budgets or self.set_limits)


class RunAgent(models.Model):
    """One agent entered in a run, with its configuration as it was at launch.

    `connection` is where its models answer; empty for agents that ask none.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="agents")
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, related_name="entries")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=40)
    config = DocumentField(default=dict, blank=True)
    connection = models.ForeignKey(Connection, models.PROTECT, null=True, blank=True, related_name="entries")
    summary = DocumentField(default=dict, blank=True)

    objects = InRunQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["run", "position"], name="one_agent_per_position")]

    def __str__(self) -> str:
        return self.name
