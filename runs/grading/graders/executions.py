"""How the verifiers of benchmark packs judge the result of what they had run (benchmark-pack 9.1)."""

from collections.abc import Mapping
from typing import Any

from runs.grading.graders.contract import Judgement, decided, infra_error, unavailable
from runs.grading.graders.pytest_reports import doubt, reports_in

# What a time-out counts as.
TIMEOUT_CODE = 124
# Facts of an event that a grade repeats.
SHOWN = (
    *("image", "language", "candidate_file", "test_file", "supervisor_file", "workdir", "workspace_root", "command"),
    *("base_commit", "candidate_patch_paths", "stdout", "stderr", "timeout_ms"),
)


def judge_execution(result: Mapping[str, Any] | None, verifier: str, phase: str, **more: Any) -> Judgement:
    """Exit code 0 passes, everything else fails; a time-out counts as code 124."""
    if result is None:
        return unavailable("nothing was run", verifier=verifier)
    shown = {name: result[name] for name in SHOWN if result.get(name) not in (None, "")} | {"verifier": verifier}
    error = result.get("execution_error")
    if isinstance(error, str) and error.strip():
        return infra_error(f"the verifier could not be started: {error}", **shown)
    facts = {**shown, **more, "phase": phase}
    if result.get("timed_out") is True:
        seconds = (result.get("timeout_ms") or 0) / 1000
        late: dict[str, Any] = {"failure_reason": "verifier_timeout", "timed_out": True, "timeout_seconds": seconds}
        return decided(False, "the verifier ran out of time", exit_code=TIMEOUT_CODE, **late, **facts)
    code = result.get("exit_code")
    doubts = [why for report in reports_in(result) if (why := doubt(report))]
    if code == 0 and doubts:
        return decided(False, f"{phase}: {doubts[0]}", exit_code=code, failure_reason="verifier_cut_short", **facts)
    return decided(code == 0, f"{phase} ended with code {code}", exit_code=code, **facts)
