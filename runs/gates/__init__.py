"""Gates: policies over finished runs that give one verdict (task-suite 7). Pure: nothing is read or kept here."""

from collections.abc import Iterator, Sequence

from runs.gates.conditions import Compared, conditions
from runs.gates.policy import GATES, SHORT, GatePolicy, is_member, kept_policy, read_policy
from runs.gates.values import Condition, GateResult, GateTask, GateTrial, Offender
from runs.statistics.estimates import Verdict

__all__ = [
    "GATES",
    "SHORT",
    "Condition",
    "GatePolicy",
    "GateResult",
    "GateTask",
    "GateTrial",
    "Offender",
    "check_gate",
    "is_member",
    "kept_policy",
    "read_policy",
]

# Conditions that leave a gate open while they are; the others only warn.
_DECISIVE = ("golden_regression", "suite_below_threshold:")


def check_gate(policy: GatePolicy, candidate: Sequence[GateTask], baseline: Sequence[GateTask] | None) -> GateResult:
    """What a gate says of a run; `baseline` is None where there is no run to compare with."""
    members = [task for task in candidate if is_member(policy, task.suite, task.flags)]
    known = None if baseline is None else {task.task_id: task for task in baseline}
    compared = Compared(policy, members, known)
    judged = list(conditions(compared))
    return GateResult(
        gate=policy.gate,
        verdict=_verdict(compared, judged),
        blocking=policy.blocking,
        conditions=judged,
        members=sorted(members, key=lambda task: task.task_id),
        warnings=list(_warnings(compared, judged, candidate)),
    )


def _verdict(compared: Compared, judged: Sequence[Condition]) -> Verdict:
    """A certain failure wins over what is open."""
    if any(condition.status == "fail" for condition in judged):
        return "fail"
    is_open = any(task.verdict == "incomplete" for task in compared.members)
    is_open |= any(each.status == "not_evaluated" and each.id.startswith(_DECISIVE) for each in judged)
    is_open |= compared.baseline is None and compared.policy.baseline.is_required
    return "incomplete" if is_open else "pass"


def _warnings(compared: Compared, judged: Sequence[Condition], candidate: Sequence[GateTask]) -> Iterator[str]:
    if compared.baseline is None:
        yield "There is no baseline to compare with."
    for condition in judged:
        if condition.status == "not_evaluated" and not condition.id.startswith(_DECISIVE):
            yield f"{condition.id} was not evaluated: {condition.reason}."
    present = {task.task_id for task in candidate}
    for task in (compared.baseline or {}).values():
        if task.suite in compared.policy.guarded and task.task_id not in present:
            yield f"The {task.suite} task {task.task_id} of the baseline is missing from this run."
