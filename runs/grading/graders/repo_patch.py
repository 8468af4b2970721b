"""repo_patch: the patch obeys the policy, applies to the clean repository, and the checks pass (benchmark-pack 9.6)."""

import shlex
from collections.abc import Mapping
from typing import Any

from packs.formats.task import GraderSpec, Task
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.comparison import NOTHING, finish
from runs.grading.graders.contract import Grade, Judgement, decided, unavailable
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.executions import judge_execution
from runs.grading.graders.patches import denied_paths, paths_of
from runs.grading.graders.pytest_reports import asking
from runs.grading.graders.unusable import unusable

SECONDS = 300.0
PHASES = ("base_commit", "setup_patch", "candidate_patch", "test_patch", "checks")
_MARK = "packwright-phase "
# Says each phase before it begins, and reads the patches, whose sizes are its first arguments, from standard input.
# A plain folder stands for the image's repository where no container brings one: it becomes a repository first.
SCRIPT = rf"""
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
say() {{ printf 'packwright-phase %s\n' "$1" >&2; }}
if [ -n "$PACKWRIGHT_PLAIN_REPOSITORY" ] && ! git rev-parse HEAD >/dev/null 2>&1; then
  git init -q . && git add -A &&
    git -c user.name=pack -c user.email=pack@localhost commit -q -m clean --no-gpg-sign || exit 1
fi
say base_commit
git rev-parse HEAD >&2 || exit 1
for phase in setup_patch candidate_patch test_patch; do
  size=$1
  shift
  if [ "$size" -gt 0 ]; then
    say "$phase"
    dd bs=1 count="$size" 2>/dev/null | git apply --binary - || exit 1
  fi
done
say checks
{asking(0)}
exec "$@" </dev/null
"""


def trouble(config: Mapping[str, Any]) -> Judgement | None:
    """Why nothing can be verified, in the order in which the format asks; None when it can."""
    tests, environment = config.get("tests"), config.get("environment") or {}
    if not isinstance(tests, dict) or not tests.get("command"):
        return unusable("tests", "need a command")
    if not _is_text(environment.get("image")):
        return unusable("environment.image", "is needed to verify a patch")
    if not _is_text(tests.get("workdir")) and not _is_text(environment.get("workdir")):
        return unusable("environment.workdir", "must say where the repository stands, or tests.workdir")
    if tests.get("timeout_seconds", SECONDS) <= 0:
        return unusable("tests.timeout_seconds", "must be above 0")
    return None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def refusal(config: Mapping[str, Any], patch: str) -> Judgement | None:
    """Why a patch fails before anything is run: it is empty, or touches what it may not."""
    if not patch.strip():
        facts: dict[str, Any] = {"phase": "candidate_patch", "failure_reason": "empty_candidate_patch"}
        return decided(False, "there is no patch", verifier="repo_patch", **facts)
    paths = paths_of(patch)
    denied = denied_paths(paths, (config.get("tests") or {}).get("candidate_policy") or {})
    if not denied:
        return None
    return decided(
        False,
        f"the patch may not touch {', '.join(denied[:5])}",
        verifier="repo_patch",
        phase="candidate_policy",
        failure_reason="candidate_patch_policy_violation",
        denied_candidate_patch_paths=denied,
        candidate_patch_paths=paths,
    )


def command(spec: GraderSpec, task: Task, output: str) -> GraderCommand | None:
    """The whole flow in the clean repository; None where it is decided without it."""
    config = spec.config or {}
    if trouble(config) or refusal(config, output):
        return None
    tests = config["tests"]
    patches = [_patch(tests.get("setup_patch")), _ended(output), _patch(tests.get("test_patch"))]
    checks = tests["command"]
    run = ("sh", "-lc", checks) if isinstance(checks, str) else tuple(checks)
    return GraderCommand(
        key=spec.key,
        arguments=("sh", "-c", SCRIPT, "sh", *(str(len(patch)) for patch in patches), *run),
        seconds=float(tests.get("timeout_seconds", SECONDS)),
        target=spec.target,
        stdin=b"".join(patches),
        is_fresh=True,
        texts=(checks if isinstance(checks, str) else shlex.join(map(str, checks)),),
        facts={
            "image": config["environment"]["image"],
            "workdir": task.environment.working_directory,
            "base_commit": config.get("base_commit"),
            "command": checks,
            "candidate_patch_paths": paths_of(output),
        },
    )


def _patch(stated: Any) -> bytes:
    text = stated.get("patch", "") if isinstance(stated, dict) else stated
    return _ended(text) if isinstance(text, str) and text.strip() else b""


def _ended(patch: str) -> bytes:
    return (patch if patch.endswith("\n") else patch + "\n").encode()


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    config, actual = spec.config or {}, evidence.resolve(spec.target)
    found = trouble(config) or refusal(config, actual.text or "")
    if found:
        return finish(spec, found, actual)
    execution = evidence.recording.executions.get(spec.key)
    if execution is None:
        return finish(spec, judge_execution(None, "repo_patch", "checks"), actual)
    return finish(spec, judge(execution.payload), NOTHING, NOTHING, execution.source)


def judge(result: Mapping[str, Any]) -> Judgement:
    """Judge the payload of the event; a repository that is not there says nothing of the agent."""
    reported = str(result.get("stderr") or "")
    phase = phase_of(reported)
    if phase == "base_commit" and not result.get("execution_error"):
        return unavailable(
            "there is no repository to apply the patch to: the image of the task has to bring it",
            verifier="repo_patch",
            phase=phase,
            stderr=reported,
        )
    return judge_execution(result, "repo_patch", phase)


def phase_of(reported: str) -> str:
    """The last phase that the script said: nothing said after `checks` counts, it may come from the checks."""
    position = 0
    for line in reported.splitlines():
        name = line.removeprefix(_MARK)
        if name != line and name in PHASES[position:]:
            position = PHASES.index(name)
    return PHASES[position] if _MARK in reported else "checks"
