"""What a request to start a run says, held against challenge-pack g."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from packs.api.shared.refusals import Refused
from packs.blobs import digest_of
from packs.columns import canonical
from packs.formats.findings import Finding, Severity
from packs.quotas import QuotaReached
from runs.launch.refusals import LaunchRefused
from runs.models.runs import ResponseCache

# Fields that upstream knows and this studio cannot do yet, with the code that refuses them.
NOT_YET = {
    "regression_suite_ids": "invalid_regression_suite_ids",
    "regression_case_ids": "invalid_regression_case_ids",
    "include_proposed_regressions": "invalid_regression_suite_ids",
    "race_context": "invalid_race_context",
    "race_context_min_step_gap": "invalid_race_context_min_step_gap",
    "mode": "unsupported_mode",
}


MAX_KEY = 200


class RunRequest(serializers.Serializer[Any]):
    """What is needed to start a run. A version is named by its id, or by its pack: the newest one that can be run. An
    input set is named by id (or, as `input_set`, by id, key or name; `all` takes all of them where the format allows
    it). Without `trials` each case is tried as often as its pack says.

    `agents` are names or ids. With `targets` the agents that the pack names enter the run as well.

    `connections` says who answers for models that the pack names: `{model: {"connection": id or name, "model": name}}`.
    """

    challenge_pack_version_id = serializers.IntegerField(required=False, allow_null=True, default=None)
    pack = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="Slug; in place of a version's id."
    )
    team = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="Slug; where several teams have such a pack."
    )
    challenge_input_set_id = serializers.IntegerField(required=False, allow_null=True)
    input_set = serializers.CharField(required=False, allow_blank=True, default="")
    agent_deployment_ids = serializers.ListField(child=serializers.IntegerField(), required=False, default=list)
    agents = serializers.ListField(child=serializers.CharField(), required=False, default=list)
    targets = serializers.BooleanField(required=False, default=False)
    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=300)
    trials = serializers.IntegerField(required=False, allow_null=True, default=None)
    max_iterations = serializers.IntegerField(required=False, allow_null=True, default=None)
    concurrency = serializers.IntegerField(required=False, allow_null=True, default=None)
    response_cache = serializers.ChoiceField(
        ResponseCache.choices, required=False, default=ResponseCache.OFF, help_text="Whether models answer as before."
    )
    budgets = serializers.DictField(
        required=False,
        default=dict,
        help_text="What ends the run early: cost_usd, total_tokens, wall_seconds, and interval_points, the percentage "
        "points within which every pass rate is to be known.",
    )
    connections = serializers.DictField(required=False, default=dict)
    official_pack_mode = serializers.ChoiceField(["full"], required=False, default="full")
    ci_metadata = serializers.DictField(required=False, default=dict)
    verification = serializers.DictField(required=False, default=dict)
    workspace_id = serializers.CharField(required=False, allow_blank=True)


def read_request(data: Any) -> dict[str, Any]:
    """The checked fields. Raises Refused with the codes of challenge-pack g."""
    if not isinstance(data, dict):
        raise refused("invalid_request", "Send a JSON object.")
    for name, code in NOT_YET.items():
        if data.get(name):
            raise refused(code, f"{name} is not supported by this studio yet; leave it out.", name)
    for name in data:
        if name not in RunRequest().fields and name not in NOT_YET:
            hint = f"Known: {', '.join(RunRequest().fields)}."
            raise refused("invalid_request", f"The field {name!r} is not known.", name, hint)
    request = RunRequest(data=data)
    if not request.is_valid():
        name, [problem, *_] = next(iter(request.errors.items()))
        raise refused(CODES.get(name, "invalid_request"), str(problem), name)
    wanted = dict(request.validated_data)
    if wanted["challenge_pack_version_id"] is None and not wanted["pack"]:
        name = "challenge_pack_version_id"
        raise refused(CODES[name], "Name a version by its id, or a pack of which the newest one is meant.", name)
    return wanted


CODES = {
    "challenge_pack_version_id": "invalid_challenge_pack_version_id",
    "challenge_input_set_id": "invalid_challenge_input_set_id",
    "agent_deployment_ids": "invalid_agent_deployment_ids",
    "agents": "invalid_agent_deployment_ids",
    "targets": "missing_targets",
    "max_iterations": "invalid_max_iterations",
    "concurrency": "invalid_concurrency",
    "response_cache": "invalid_response_cache",
    "budgets": "invalid_budgets",
    "trials": "invalid_trials",
    "connections": "invalid_connections",
}
FIELDS = {
    **{code: name for name, code in CODES.items() if name != "agents"},
    "missing_challenge_input_set_id": "challenge_input_set_id",
    "no_targets": "targets",
}


STATUSES = {"idempotency_key_reused": 409}


def refused(code: str, message: str, name: str = "", hint: str = "") -> Refused:
    """A 400 with one finding."""
    path = (name,) if name else ()
    return Refused([Finding(code, Severity.ERROR, path, message, hint=hint)], 400)


def key_of(request: Request) -> dict[str, Any]:
    """The idempotency key of a request with the digest of what it asks for, as options of a launch.

    Raises Refused for a key that is too long to be kept.
    """
    key = request.headers.get("Idempotency-Key", "")
    if len(key) > MAX_KEY:
        raise refused("invalid_request", f"An Idempotency-Key has at most {MAX_KEY} characters.", "Idempotency-Key")
    asked = {"path": request.path, "body": request.data}
    return {"idempotency_key": key, "request_digest": digest_of(canonical(asked)) if key else ""}


def launch_refused(error: LaunchRefused) -> Refused:
    """The refusal of a launch, at the field that it is about; what could be given instead is the hint."""
    choices = ", ".join(f"{choice['id']} ({choice.get('key') or choice['name']})" for choice in error.choices)
    hint = f"Possible: {choices}." if choices else ""
    found = refused(error.code, error.message, FIELDS.get(error.code, ""), hint)
    status = 403 if isinstance(error.__cause__, QuotaReached) else STATUSES.get(error.code, found.status_code)
    return Refused(found.findings, status)
