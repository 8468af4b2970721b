"""A gate's result as a document that is kept, and back: members with their trials, conditions, warnings."""

from collections.abc import Mapping, Sequence
from typing import Any

from runs.gates.values import UNJUDGED, Condition, GateResult, GateTask, GateTrial, Offender

Json = dict[str, Any]


def member_document(task: GateTask, before: GateTask | None = None) -> Json:
    """A member with what its trials say; `before` is the same task in the baseline.

    A trial is `[id, state, seconds, reason, score]`; the reason stands only where the trial decided something, or kept
    a verdict from being reached. Kept documents of before scores counted have neither those nor a threshold.
    """
    deciding = task.deciding()
    unjudged = [place for place, trial in enumerate(task.trials) if trial.state in UNJUDGED]
    telling = {*deciding, *(unjudged if task.verdict == "incomplete" else ())}
    return {
        "task_id": task.task_id,
        "suite": task.suite,
        "verdict": task.verdict,
        "k": task.k,
        "metric": task.metric,
        "threshold": task.threshold,
        "told": task.described,
        "fingerprint": task.fingerprint,
        "deciding": deciding,
        "before": before.verdict if before else None,
        "is_paired": before is not None and before.fingerprint == task.fingerprint,
        "trials": [
            [trial.id, trial.state, trial.wall_seconds, trial.reason if place in telling else "", trial.score]
            for place, trial in enumerate(task.trials)
        ],
    }


def member_documents(result: GateResult, baseline: Sequence[GateTask] | None) -> list[Json]:
    """All members of a result, in its order."""
    known = {task.task_id: task for task in baseline or ()}
    return [member_document(task, known.get(task.task_id)) for task in result.members]


def condition_documents(result: GateResult) -> list[Json]:
    """The conditions of a result; each offender also holds the ids of the trials that show it."""
    trials = {task.task_id: [trial.id for trial in task.trials] for task in result.members}
    found = [condition.as_dict() for condition in result.conditions]
    for condition in found:
        for offender in condition["offenders"]:
            known = trials.get(offender["task_id"], [])
            offender["trial_ids"] = [known[place] for place in offender["trials"] if place < len(known)]
    return found


def kept_result(head: Mapping[str, Any], members: Sequence[Json], conditions: Sequence[Json]) -> GateResult:
    """The result of which these documents were kept; `head` holds gate, verdict, blocking and warnings."""
    return GateResult(
        gate=head["gate"],
        verdict=head["verdict"],
        blocking=head["blocking"],
        conditions=[_condition(document) for document in conditions],
        members=[_member(document) for document in members],
        warnings=head["warnings"],
    )


def _condition(document: Json) -> Condition:
    offenders = [Offender(each["task_id"], each["reason"], each["trials"]) for each in document["offenders"]]
    values = {name: document[name] for name in ("id", "status", "observed", "limit", "reason")}
    return Condition(**values, offenders=offenders)


def _member(document: Json) -> GateTask:
    return GateTask(
        task_id=document["task_id"],
        suite=document["suite"],
        k=document["k"],
        metric=document["metric"],
        threshold=document.get("threshold"),
        fingerprint=document["fingerprint"],
        trials=[
            GateTrial(state, wall_seconds=seconds, reason=reason, id=pk, score=next(iter(score), None))
            for pk, state, seconds, reason, *score in document["trials"]
        ],
    )
