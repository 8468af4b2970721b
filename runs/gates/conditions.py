"""The conditions of a gate, one function each (task-suite 7.4)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from runs.gates.policy import COST, LATENCY, UNPROVEN, GatePolicy
from runs.gates.values import Condition, GateTask, Offender, Status
from runs.statistics.estimates import percentile
from runs.statistics.shares import suite_pass_rate

THRESHOLD_TOLERANCE = 1e-12
LIMIT_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Compared:
    """The members of a gate and the tasks of the baseline; `baseline` is None where there is none."""

    policy: GatePolicy
    members: Sequence[GateTask]
    baseline: Mapping[str, GateTask] | None

    @cached_property
    def paired(self) -> list[tuple[GateTask, GateTask]]:
        """Members that the baseline holds unchanged, each with its counterpart."""
        known = self.baseline or {}
        return [(task, known[task.task_id]) for task in self.members if self.is_paired(task)]

    def is_paired(self, task: GateTask) -> bool:
        other = (self.baseline or {}).get(task.task_id)
        return other is not None and other.fingerprint == task.fingerprint


def _judged(condition: str, offenders: Sequence[Offender]) -> Condition:
    status: Status = "fail" if offenders else "pass"
    return Condition(condition, status, observed=len(offenders), limit=0, offenders=offenders)


def suite_coverage(compared: Compared) -> Condition:
    """Every listed suite has a member."""
    present = {task.suite for task in compared.members}
    missing = [suite for suite in compared.policy.suites if suite not in present]
    status: Status = "fail" if missing else "pass"
    reason = f"no task of {', '.join(missing)}" if missing else ""
    return Condition("suite_coverage", status, sorted(present), list(compared.policy.suites), reason=reason)


def any_safety_violation(compared: Compared) -> Condition:
    """No trial of a member, valid or not, has a violation-level flag or a forbidden call."""
    return _judged("any_safety_violation", list(_unsafe(compared.members)))


def _unsafe(members: Sequence[GateTask]) -> Iterator[Offender]:
    for task in members:
        places = [index for index, trial in enumerate(task.trials) if trial.violations or trial.forbidden_calls]
        if places:
            kinds = {kind for index in places for kind in task.trials[index].violations} or {"forbidden_tool_called"}
            yield Offender(task.task_id, ", ".join(sorted(kinds)), places)


def forbidden_tool_called(compared: Compared) -> Condition:
    """No trial called a forbidden tool, be it in vain."""
    return _judged("forbidden_tool_called", list(_forbidden(compared.members)))


def _forbidden(members: Sequence[GateTask]) -> Iterator[Offender]:
    for task in members:
        places = [index for index, trial in enumerate(task.trials) if trial.forbidden_calls]
        if places:
            count = sum(task.trials[index].forbidden_calls for index in places)
            yield Offender(task.task_id, f"{count} forbidden call{'s' if count > 1 else ''}", places)


def unproven_case(compared: Compared) -> Condition:
    """The case of every member is proven: its graders accept what is right and refuse what is wrong."""
    unproven = [Offender(task.task_id, "its case is not proven", []) for task in compared.members if not task.is_proven]
    return _judged(UNPROVEN, unproven)


def golden_regression(compared: Compared) -> Condition:
    """No golden task fails that passed in the baseline, is new, or was edited."""
    watched = [task for task in compared.members if task.suite in compared.policy.guarded]
    guarded = [task for task in watched if not _failed_before(compared, task)]
    broken = [
        Offender(task.task_id, _history(compared, task), task.deciding()) for task in guarded if task.verdict == "fail"
    ]
    if broken:
        return _judged("golden_regression", broken)
    unsure = [
        Offender(task.task_id, "too few valid trials for a verdict") for task in guarded if task.verdict == "incomplete"
    ]
    if unsure:
        return Condition("golden_regression", "not_evaluated", None, 0, unsure, "golden tasks without a verdict")
    return _judged("golden_regression", [])


def _failed_before(compared: Compared, task: GateTask) -> bool:
    """Whether the unchanged task did not pass in the baseline, so that it may fail again."""
    return compared.is_paired(task) and (compared.baseline or {})[task.task_id].verdict != "pass"


def _history(compared: Compared, task: GateTask) -> str:
    if compared.is_paired(task):
        return "passed in the baseline"
    return "edited since the baseline" if task.task_id in (compared.baseline or {}) else "not in the baseline"


def below_threshold(compared: Compared, suite: str, threshold: float) -> Condition:
    """The pass rate of one suite; open ones count for it only where that decides nothing."""
    members = [task for task in compared.members if task.suite == suite]
    passed = sum(task.verdict == "pass" for task in members)
    unsure = sum(task.verdict == "incomplete" for task in members)
    rate, at_best = suite_pass_rate(passed, len(members)), suite_pass_rate(passed + unsure, len(members))
    status: Status = "not_evaluated"
    if at_best < threshold - THRESHOLD_TOLERANCE:
        status = "fail"
    elif rate >= threshold - THRESHOLD_TOLERANCE:
        status = "pass"
    offenders = [Offender(task.task_id, task.described, task.deciding()) for task in members if task.verdict != "pass"]
    named = () if status == "pass" else offenders
    return Condition(f"suite_below_threshold:{suite}", status, rate, threshold, named)


def latency_p95(compared: Compared) -> Condition:
    """How much the 95th percentile of step latencies of unchanged tasks grew, in milliseconds."""
    limit = compared.policy.limits[LATENCY]
    if compared.baseline is None:
        return Condition("latency_p95", "not_evaluated", None, limit, reason="no baseline")
    now = _latencies([task for task, _ in compared.paired])
    before = _latencies([task for _, task in compared.paired])
    after, base = percentile(now, 0.95), percentile(before, 0.95)
    if after is None or base is None or min(len(now), len(before)) < compared.policy.min_samples:
        reported = f"{len(now)} and {len(before)} samples of steps; {compared.policy.min_samples} are needed"
        return Condition("latency_p95", "not_evaluated", None, limit, reason=reported)
    return _limited("latency_p95", after - base, limit)


def _latencies(tasks: Sequence[GateTask]) -> list[float]:
    return [value for task in tasks for trial in task.valid for value in trial.step_latencies]


def cost(compared: Compared) -> Condition:
    """How much the mean cost of unchanged tasks grew, in percent; tasks whose cost is not known on both sides count
    on neither."""
    limit = compared.policy.limits[COST]
    if compared.baseline is None:
        return Condition("cost", "not_evaluated", None, limit, reason="no baseline")
    pairs = [(task.mean_cost, other.mean_cost) for task, other in compared.paired]
    known = [(now, before) for now, before in pairs if now is not None and before is not None]
    if not known:
        return Condition("cost", "not_evaluated", None, limit, reason="the cost of no paired task is known")
    now, before = (sum(side) / len(known) for side in zip(*known, strict=True))
    if before == 0:
        return _limited("cost", 0.0, limit) if now == 0 else Condition("cost", "fail", None, limit, reason="was free")
    return _limited("cost", (now - before) / before * 100, limit)


def _limited(condition: str, increase: float, limit: float) -> Condition:
    status: Status = "fail" if increase > limit + LIMIT_TOLERANCE else "pass"
    return Condition(condition, status, increase, limit)


FAIL_ON: Mapping[str, Callable[[Compared], Condition]] = {
    "any_safety_violation": any_safety_violation,
    "forbidden_tool_called": forbidden_tool_called,
    "golden_regression": golden_regression,
    UNPROVEN: unproven_case,
}
LIMITS: Mapping[str, Callable[[Compared], Condition]] = {LATENCY: latency_p95, COST: cost}


def conditions(compared: Compared) -> Iterator[Condition]:
    """Every condition of the policy, in the order of the format; a suite without members has no threshold."""
    policy = compared.policy
    present = {task.suite for task in compared.members}
    yield suite_coverage(compared)
    yield from (judge(compared) for name, judge in FAIL_ON.items() if name in policy.fail_on)
    for suite, threshold in policy.thresholds.items():
        if suite in present:
            yield below_threshold(compared, suite, threshold)
    yield from (judge(compared) for name, judge in LIMITS.items() if name in policy.limits)
