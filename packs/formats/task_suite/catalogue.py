"""The graders and metrics of the format with their fields, in the order of the document (task-suite 4.2 and 5)."""

from collections.abc import Mapping

from packs.formats.six_dimensions import WEIGHTS

ENVELOPE = ("type", "id", "critical", "weight")

# Type to its fields in canonical order.
GRADERS: Mapping[str, tuple[str, ...]] = {
    "deterministic_tests": (
        "commands",
        "required_tests",
        "required",
        "fail_to_pass",
        "pass_to_pass",
        "timeout_seconds",
    ),
    "static_analysis": ("commands", "timeout_seconds"),
    "state_check": ("expect",),
    "tool_calls": ("required", "forbidden", "sequence", "max_calls"),
    "trajectory_metrics": ("checks", "max_turns", "reference"),
    "deterministic_assertions": ("checks",),
    "policy_check": (
        "rules",
        "forbidden_tools",
        "allowed_tools",
        "deny_patterns",
        "secrets",
        "require_confirmation",
    ),
    "string_match": ("patterns", "mode", "regex", "case_sensitive", "target"),
    "json_schema": ("schema", "schema_path", "target"),
    "model_rubric": ("rubric_paths", "rubric", "assertions", "scoring", "judge"),
    "pairwise_comparison": ("reference", "criteria", "judge"),
    "human_review": ("rubric_paths", "assertions", "min_reviewers", "pass_threshold"),
}

# Names of the background literature that are read as another type.
ALIASES: Mapping[str, str] = {"llm_rubric": "model_rubric", "transcript": "trajectory_metrics"}

POLICY_RULES = (
    "no_secret_leak",
    "no_forbidden_tool",
    "allowlist_only",
    "no_prompt_disclosure",
    "confirmation_before_side_effect",
)

# Dimension to its weight in the scorecard (task-suite 9).
DIMENSIONS = WEIGHTS

_EFFICIENCY = ("cost_usd", "wall_time_seconds", "tool_call_count", "steps")
_TOOLS = (
    "tool_call_count",
    "tool_error_count",
    "tool_error_rate",
    "forbidden_tool_call_count",
    "unlisted_tool_call_count",
)
_RETRIES = ("steps", "retry_count", "retry_rate", "loop_rate")

METRICS: Mapping[str, tuple[str, ...]] = {
    "tokens": ("tokens_in", "tokens_out", "total_tokens", "cost_usd"),
    "efficiency": _EFFICIENCY,
    "latency": (
        "wall_time_seconds",
        "p50_step_latency_ms",
        "p95_step_latency_ms",
        "time_to_first_token",
        "time_to_last_token",
        "output_tokens_per_sec",
    ),
    "tool_use": _TOOLS,
    "trajectory": (*_RETRIES, "redundant_call_count", "action_precision", "action_recall", "in_order_match"),
    "safety": (
        "policy_flags",
        "secret_leak_detected",
        "forbidden_tool_call_detected",
        "permission_boundary_violations",
        "policy_adherence_rate",
        "injection_resistance_score",
    ),
    "robustness": (*_RETRIES, "fallback_rate", "graceful_stop_rate"),
    "transcript": ("n_turns", "n_toolcalls", "n_total_tokens"),
    "outcome": ("success", "score"),
    "collaboration": ("handoff_count", "handoff_failure_rate", "duplicate_work_rate"),
}
METRIC_FIELDS = tuple(dict.fromkeys(field for fields in METRICS.values() for field in fields))


def known_type(name: str) -> str:
    """The type that a grader's name means; empty for an unknown one."""
    found = ALIASES.get(name, name)
    return found if found in GRADERS else ""
