"""What the API shows of verdicts and of runs in short, for its OpenAPI description."""

from typing import Any

from rest_framework import serializers

from packs.api.shared.answers import Shape
from runs.models import Gate, RunStatus, TrialStatus

VERDICTS = ["pass", "fail", "incomplete"]


class ConditionShape(serializers.Serializer[Any]):
    """One thing that a gate asks."""

    id = serializers.CharField()
    status = serializers.ChoiceField(["pass", "fail", "not_evaluated"])
    observed = serializers.JSONField()
    limit = serializers.JSONField()
    offenders = serializers.ListField(child=serializers.DictField())
    reason = serializers.CharField()


class GateReportShape(serializers.Serializer[Any]):
    """What a gate said, in full; `id` is null where nothing was kept."""

    id = serializers.IntegerField(allow_null=True)
    run_agent_id = serializers.IntegerField(required=False)
    created_at = serializers.DateTimeField(required=False)
    gate = serializers.ChoiceField(Gate.choices)
    verdict = serializers.ChoiceField(VERDICTS)
    exit_code = serializers.IntegerField(help_text="What a pipeline should end with.")
    blocking = serializers.BooleanField()
    run_id = serializers.CharField(allow_null=True)
    baseline_run_id = serializers.CharField(allow_null=True)
    conditions = ConditionShape(many=True)
    suites = serializers.DictField(child=serializers.DictField())
    tasks = serializers.ListField(child=serializers.DictField())
    policy = serializers.DictField()
    warnings = serializers.ListField(child=serializers.CharField())


class GateCheckShape(Shape):
    """A verdict as a line of a list."""

    id = serializers.IntegerField()
    run_id = serializers.IntegerField()
    run_agent_id = serializers.IntegerField()
    gate = serializers.ChoiceField(Gate.choices)
    verdict = serializers.ChoiceField(VERDICTS)
    exit_code = serializers.IntegerField()
    blocking = serializers.BooleanField()
    baseline_run_id = serializers.IntegerField(allow_null=True, source="baseline_id")
    branch = serializers.CharField()
    commit = serializers.CharField()
    created_at = serializers.DateTimeField()


class GateRunShape(serializers.Serializer[Any]):
    """A run for a gate; until it is `done` its exit code is 3 and it has no verdict."""

    run_id = serializers.IntegerField()
    gate = serializers.ChoiceField(Gate.choices)
    status = serializers.ChoiceField(RunStatus.choices)
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="Trials by their status.")
    trial_count = serializers.IntegerField()
    done = serializers.BooleanField()
    trouble = serializers.CharField(help_text="Why there will be no verdict.")
    verdict = serializers.ChoiceField(VERDICTS, allow_null=True)
    exit_code = serializers.IntegerField()
    report = GateReportShape(allow_null=True)
    links = serializers.DictField(child=serializers.CharField(), help_text="result, junit, and the page for people.")


class PolicyShape(serializers.Serializer[Any]):
    """What a gate asks: `section` as it was written, `policy` with every default."""

    gate = serializers.ChoiceField(Gate.choices)
    label = serializers.CharField()  # type: ignore[assignment]
    source = serializers.CharField()  # type: ignore[assignment]
    section = serializers.DictField()
    policy = serializers.DictField()


class ReleaseShape(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    run_id = serializers.IntegerField()


def share(of: str) -> serializers.FloatField:
    return serializers.FloatField(allow_null=True, help_text=f"From 0 to 1: {of}. null where there are none.")


def interval(of: str) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text=f"95% Wilson interval of `{of}`, low and high."
    )


class SharesShape(serializers.Serializer[Any]):
    """Shares of trials. Errors, undecided, cancelled and open trials are not judged: they are no failures."""

    pass_rate = share("passed trials of those that were judged (passed or failed)")
    coverage = share("judged trials of those that were planned")
    wilson95 = interval("pass_rate")


class CaseSharesShape(SharesShape):
    """Shares of trials and of cases. A case passes by the rule of its pack for several trials.

    Trials of one case do not vary independently: where cases have several, go by `case_wilson95`.
    """

    case_pass_rate = share("passed cases of those that were judged")
    case_coverage = share("judged cases of those that were planned")
    case_wilson95 = interval("case_pass_rate")


class AgentSummaryShape(CaseSharesShape):
    """One agent of a run; `cases` counts by verdict, `trials` by status."""

    run_agent = serializers.IntegerField()
    name = serializers.CharField()
    verdict = serializers.ChoiceField(VERDICTS)
    cases = serializers.DictField(child=serializers.IntegerField())
    flaky = serializers.IntegerField()
    trials = serializers.DictField(child=serializers.IntegerField())
    left_out = serializers.IntegerField()
    cost_usd = serializers.FloatField()
    judge_cost_usd = serializers.FloatField()
    total_tokens = serializers.IntegerField()


class DoubtShape(serializers.Serializer[Any]):
    """A judge of the pack whose kappa with people is below the least that the pack asks for."""

    judge = serializers.CharField()
    kappa = serializers.FloatField()
    least = serializers.FloatField()
    trials = serializers.IntegerField()


class RunSummaryShape(SharesShape):
    """A run in short, with the shares of the trials of all agents; poll it until `is_final`."""

    run = serializers.IntegerField()
    status = serializers.ChoiceField(RunStatus.choices)
    is_final = serializers.BooleanField()
    agents = AgentSummaryShape(many=True)
    doubtful_judges = DoubtShape(many=True)
    proven_verdicts = serializers.IntegerField(
        allow_null=True, help_text="Trials judged at proven cases; null where no case of the version was tried."
    )


class CaseTrialShape(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    status = serializers.ChoiceField(TrialStatus.choices)
    score = serializers.FloatField(allow_null=True)
    is_left_out = serializers.BooleanField()


class CaseVerdictShape(serializers.Serializer[Any]):
    """What the trials of one agent say together of one case: `c` of `n` valid trials passed, `k` are asked for."""

    run_agent = serializers.IntegerField()
    case = serializers.IntegerField(allow_null=True)
    case_key = serializers.CharField()
    challenge_key = serializers.CharField()
    verdict = serializers.ChoiceField(VERDICTS)
    rule = serializers.CharField()
    k = serializers.IntegerField()
    n = serializers.IntegerField()
    c = serializers.IntegerField()
    estimate = serializers.FloatField(allow_null=True)
    ci = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    threshold = serializers.FloatField(allow_null=True)
    is_flaky = serializers.BooleanField()
    trials = CaseTrialShape(many=True)
