"""The JSON shapes of runs: one for the API, the command line and exports."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from runs.engine.events import SCHEMA_VERSION, Event, summarise
from runs.grading.graders.contract import Outcome, State, Verdict
from runs.models import Agent, Attempt, Grade, Rescore, RescoreResult, Run, RunAgent, Trial
from runs.models import Event as EventRow
from runs.models.trials import KEPT
from runs.statistics.shares import shares_of


class AgentSerializer(serializers.ModelSerializer[Agent]):
    """An agent as configured by a user."""

    class Meta:
        model = Agent
        fields = ["id", "name", "kind", "config", "concurrency", "is_active", "created_at", "updated_at"]
        read_only_fields = ["id", "created_at", "updated_at"]

    config = serializers.JSONField(default=dict)


class TargetSerializer(serializers.Serializer[Any]):
    """An agent that a pack names, with the team's agent of this name, null where there is none."""

    name = serializers.CharField()
    agent = serializers.IntegerField(source="agent.pk", default=None, allow_null=True)


class RunAgentSerializer(serializers.ModelSerializer[RunAgent]):
    """One agent entered in a run, with what its trials add up to once the run has ended."""

    agent = serializers.IntegerField(source="agent_id", allow_null=True)
    summary = serializers.SerializerMethodField()

    class Meta:
        model = RunAgent
        fields = ["id", "agent", "position", "name", "kind", "summary"]

    def get_summary(self, entry: RunAgent) -> dict[str, Any]:
        """What its trials add up to, with their shares; empty while the run is at work."""
        return {**entry.summary, **shares_of(entry.summary["statuses"]).as_dict()} if entry.summary else {}


class RunSerializer(serializers.ModelSerializer[Run]):
    """A run. `execution_mode` is single_agent or comparison (challenge-pack g).

    `pass_rate` is passed of judged trials, `coverage` judged of planned ones, `wilson95` the interval of the pass rate.
    """

    team = serializers.CharField(source="team.slug")
    pack = serializers.CharField(source="version.pack.slug")
    challenge_pack_version_id = serializers.IntegerField(source="version_id")
    version_number = serializers.IntegerField(source="version.number")
    challenge_input_set_id = serializers.IntegerField(source="input_set_id", allow_null=True)
    input_set = serializers.CharField(source="input_set.key", default=None, allow_null=True)
    selection = serializers.ChoiceField(["given", "all", "only_one", "none"])
    execution_mode = serializers.SerializerMethodField()
    counts = serializers.JSONField()
    pass_rate = serializers.FloatField(source="trial_shares.pass_rate", allow_null=True)
    coverage = serializers.FloatField(source="trial_shares.coverage", allow_null=True)
    wilson95 = serializers.ListField(child=serializers.FloatField(), source="trial_shares.interval", allow_null=True)
    budgets = serializers.JSONField()
    connections = serializers.JSONField()
    scorecard = serializers.JSONField()
    metadata = serializers.JSONField()
    agents = RunAgentSerializer(many=True)
    recordings_removed_at = serializers.DateTimeField(
        allow_null=True, help_text="When recordings of its trials were removed last, by the rule of the team."
    )

    class Meta:
        model = Run
        fields = [
            "id",
            "name",
            "status",
            "team",
            "pack",
            "challenge_pack_version_id",
            "version_number",
            "challenge_input_set_id",
            "input_set",
            "selection",
            "execution_mode",
            "trials_per_case",
            "max_iterations",
            "concurrency",
            "budgets",
            "connections",
            "trial_count",
            "counts",
            "pass_rate",
            "coverage",
            "wilson95",
            "scorecard",
            "metadata",
            "created_at",
            "started_at",
            "finished_at",
            "cancel_requested_at",
            "recordings_removed_at",
            "agents",
        ]

    @extend_schema_field(serializers.ChoiceField(["single_agent", "comparison"]))
    def get_execution_mode(self, run: Run) -> str:
        return "comparison" if len(run.agents.all()) > 1 else "single_agent"


class GradeSerializer(serializers.ModelSerializer[Grade]):
    """The judgement of one grader; the verdict is empty where it is unavailable."""

    state = serializers.ChoiceField([each.value for each in State])
    verdict = serializers.ChoiceField([each.value for each in Verdict], allow_blank=True)
    outcome = serializers.ChoiceField([each.value for each in Outcome], allow_blank=True)
    detail = serializers.JSONField()

    class Meta:
        model = Grade
        fields = ["position", "key", "kind", "state", "verdict", "outcome", "score", "reason", "detail"]


class TrialSerializer(serializers.ModelSerializer[Trial]):
    """A trial without its scorecard and events."""

    run_agent = serializers.IntegerField(source="run_agent_id")
    case = serializers.IntegerField(source="case_id", allow_null=True)

    class Meta:
        model = Trial
        fields = [
            "id",
            "run_agent",
            "case",
            "case_key",
            "challenge_key",
            "number",
            "status",
            "score",
            "stop_reason",
            "finish_reason",
            "fault",
            "error",
            "final_output",
            "event_count",
            "total_tokens",
            "cost_usd",
            "seconds",
            "judge_tokens",
            "judge_cost_usd",
            "started_at",
            "finished_at",
        ]


class TrialDetailSerializer(TrialSerializer):
    """A trial with its grades."""

    grades = GradeSerializer(many=True)

    class Meta(TrialSerializer.Meta):
        fields = [*TrialSerializer.Meta.fields, "grades"]


class AttemptSerializer(serializers.ModelSerializer[Attempt]):
    """A try of a trial that a later one replaced, with its events and grades."""

    scorecard = serializers.JSONField()
    events = serializers.JSONField()
    grades = serializers.JSONField()

    class Meta:
        model = Attempt
        fields = [
            "trial",
            "number",
            *KEPT,
            "replaced_at",
            "grades",
            "events",
        ]


class RescoreSerializer(serializers.ModelSerializer[Rescore]):
    """A re-score of a run.

    `summary` holds old and new figures of each agent once it is completed (counts, pass rate, coverage, mean score),
    how many trials moved from which verdict to which, and what judges used up where they were asked; `adopted_at` says
    since when its verdicts count for the run.
    """

    version_number = serializers.IntegerField(source="version.number")
    evaluation = serializers.JSONField()
    connections = serializers.JSONField()
    summary = serializers.JSONField(source="figures")

    class Meta:
        model = Rescore
        fields = [
            "id",
            "run",
            "version",
            "version_number",
            "evaluation",
            "asks",
            "connections",
            "probe",
            "status",
            "error",
            "trial_count",
            "summary",
            "created_at",
            "finished_at",
            "adopted_at",
        ]


class RescoreResultSerializer(serializers.ModelSerializer[RescoreResult]):
    """Old and new verdict of one trial, with its new scorecard."""

    case_key = serializers.CharField(source="trial.case_key")
    number = serializers.IntegerField(source="trial.number")
    run_agent = serializers.IntegerField(source="trial.run_agent_id")
    usage = serializers.JSONField()
    scorecard = serializers.JSONField()

    class Meta:
        model = RescoreResult
        fields = [
            "trial",
            "run_agent",
            "case_key",
            "number",
            "old_status",
            "old_score",
            "status",
            "score",
            "has_changed",
            "usage",
            "fault",
            "error",
            "scorecard",
        ]


def envelope(event: Event, trial: Trial) -> dict[str, Any]:
    """An event as challenge-pack h.1 shows it. Sequence numbers count per trial, which `case_key` names."""
    return {
        "event_id": f"{trial.pk}-{event['sequence_number']}",
        "schema_version": SCHEMA_VERSION,
        "run_id": str(trial.run_id),
        "run_agent_id": str(trial.run_agent_id),
        "trial_id": str(trial.pk),
        "sequence_number": event["sequence_number"],
        "event_type": event["event_type"],
        "source": event["source"],
        "occurred_at": event["occurred_at"].isoformat().replace("+00:00", "Z"),
        "payload": event["payload"],
        "summary": summarise(event["payload"], trial.case_key),
    }


class EventSerializer(serializers.Serializer[EventRow]):
    """One event in its envelope (challenge-pack h.1)."""

    event_id = serializers.CharField()
    schema_version = serializers.CharField()
    run_id = serializers.CharField()
    run_agent_id = serializers.CharField()
    trial_id = serializers.CharField()
    sequence_number = serializers.IntegerField()
    event_type = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    occurred_at = serializers.DateTimeField()
    payload = serializers.DictField()
    summary = serializers.DictField()

    def to_representation(self, instance: EventRow) -> dict[str, Any]:
        return envelope(instance.as_event(), instance.trial)
