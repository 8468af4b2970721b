"""Gates over rows: from the trials of two runs to a verdict that is kept (task-suite 7)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet

from packs.formats import FORMATS, adapter_of
from packs.formats.findings import from_pointer
from packs.models import Pack, PackVersion
from packs.notices import GATE_FAILED, Notice, those
from runs.gates import GatePolicy, GateResult, GateTask, GateTrial, check_gate, read_policy
from runs.gates.keeping import condition_documents, kept_result, member_documents
from runs.gates.policy import GATES, UNPROVEN
from runs.gates.reports import as_json, as_junit
from runs.jobs.gating.baselines import branch_of, commit_of, counterpart, find_baseline, pinned_number
from runs.jobs.gating.cases import Standing, sets_of, standings_of
from runs.jobs.notices.noting import note
from runs.jobs.trials.facts import fill_facts
from runs.models import GateCheck, GateSettings, GateVerdict, Grade, Run, RunAgent, Trial, TrialStatus
from runs.models.proofs import proven_rows
from runs.models.trials import joint_state
from runs.statistics.estimates import LEFT_OUT

# What a trial's status is to a gate (task-suite 6). All others are skipped: they say nothing about the agent, and
# nothing broke, as in a trial that waits for people.
STATES: Mapping[str, str] = {
    TrialStatus.PASSED: "passed",
    TrialStatus.FAILED: "failed",
    TrialStatus.ERROR: "error",
    LEFT_OUT: LEFT_OUT,
}
MAX_REASON = 500
COLUMNS = (
    *("pk", "case", "status", "stop_reason", "score", "error", "cost_usd", "seconds"),
    *("facts__latencies", "facts__tools", "facts__violations", "facts__wall_seconds", "facts__cost_usd"),
)
VERSION, SETTINGS, DEFAULTS = "version", "settings", "defaults"


class GateRefused(Exception):
    """A gate that cannot be asked of a run. `code` is stable; `choices` lists what could be given instead."""

    def __init__(self, code: str, message: str, choices: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.choices = list(choices)


@dataclass(frozen=True, slots=True)
class Side:
    """One agent of a run with its tasks."""

    agent: RunAgent
    tasks: Sequence[GateTask]


@dataclass(frozen=True, slots=True)
class Judged:
    """What a gate says of a run, with what it was compared with and what was asked. Nothing of it is kept yet."""

    candidate: Side
    baseline: Side | None
    policy: GatePolicy
    source: str
    result: GateResult


def gate_section(version: PackVersion, gate: str) -> tuple[Mapping[str, Any], str]:
    """What is said of a gate, and where: in the version, in the settings of the pack, or nowhere."""
    pointer = adapter_of(version.pack.format).GATES_POINTER
    if pointer:
        value: Any = version.document
        for step in (*from_pointer(pointer), gate):
            value = value.get(step) if isinstance(value, dict) else None
        return (value, VERSION) if isinstance(value, dict) else ({}, DEFAULTS)
    row = GateSettings.objects.filter(pack=version.pack_id, gate=gate).first()
    return (row.section, SETTINGS) if row else ({}, DEFAULTS)


def pinned_baselines(packs: QuerySet[Pack]) -> dict[int, str]:
    """The runs that gates of packs compare with by name, with such a gate: as the settings of a pack say, or its newest
    version."""
    rows = GateSettings.objects.filter(pack__in=packs)
    stated: list[tuple[str, Mapping[str, Any]]] = [(row.gate, row.section) for row in rows]
    stating = [name for name in FORMATS if adapter_of(name).GATES_POINTER]
    later = PackVersion.objects.filter(pack=OuterRef("pack"), number__gt=OuterRef("number"))
    newest = PackVersion.objects.filter(~Exists(later), pack__in=packs, pack__format__in=stating)
    stated += [(gate, gate_section(version, gate)[0]) for version in newest.select_related("pack") for gate in GATES]
    found = {}
    for gate, section in stated:
        baseline = section.get("baseline") if isinstance(section, dict) else None
        number = pinned_number(baseline.get("run_id")) if isinstance(baseline, dict) else None
        if number is not None:
            found[number] = gate
    return found


def own_sets(version: PackVersion, run: Run | None = None) -> list[str] | None:
    """The input sets that belong to a gate where nothing is said; None for a format with suites of its own.

    A run of one set is held to that set alone.
    """
    if adapter_of(version.pack.format).GATES_POINTER:
        return None
    return [run.input_set.key] if run is not None and run.input_set else sets_of(version.pk) or [""]


def policy_of(run: Run, gate: str, section: Mapping[str, Any] | None = None) -> tuple[GatePolicy, str]:
    """What a gate asks of a run, and where that is said. A given `section` takes the place of what is said."""
    stated, source = gate_section(run.version, gate)
    given = stated if section is None else section
    return read_policy(gate, given, own_sets(run.version, run)), source


def chosen_agent(run: Run, name: str = "") -> RunAgent:
    """The agent of a run that a gate judges. Raises GateRefused where that is not clear."""
    entries: list[RunAgent] = list(run.agents.order_by("position"))
    found = [entry for entry in entries if not name or entry.name == name or str(entry.pk) == name]
    if len(found) == 1:
        return found[0]
    choices = [{"id": entry.pk, "name": entry.name} for entry in entries]
    if not found:
        raise GateRefused("unknown_agent", f"Run {run.pk} has no agent {name!r}.", choices)
    raise GateRefused("agent_not_named", "This run has several agents; a gate judges one of them.", choices)


def judge(
    run: Run,
    gate: str,
    *,
    agent: str = "",
    baseline: Run | None = None,
    section: Mapping[str, Any] | None = None,
    compares: bool = True,
) -> Judged:
    """What a gate says of a run that has ended; a given `baseline` takes the place of the policy's choice.

    A run that is not to be compared `compares` with nothing. Raises GateRefused.
    """
    if run.finished_at is None:
        raise GateRefused("run_not_ended", "A gate is asked of a run that has ended.")
    entry = chosen_agent(run, agent)
    policy, source = policy_of(run, gate, section)
    other = checked_baseline(run, baseline) if baseline else None
    if other is None and compares:
        other = find_baseline(run, gate, policy.baseline)
    entered = counterpart(entry, other) if other else None
    asks_proof = UNPROVEN in policy.fail_on
    proven = set(proven_rows(run.version_id).values_list("node", flat=True)) if asks_proof else set()
    candidate = Side(entry, tasks_of_agent(entry, run.version_id, proven))
    before = Side(entered, tasks_of_agent(entered, other.version_id)) if entered and other else None
    result = check_gate(policy, candidate.tasks, before.tasks if before else None)
    if other is not None and before is None:
        note = f"Run {other.pk} has no agent that {entry.name} can be compared with."
        result = replace(result, warnings=[*result.warnings, note])
    return Judged(candidate, before, policy, source, result)


def checked_baseline(run: Run, baseline: Run) -> Run:
    """A run that was named to compare with. Raises GateRefused."""
    if baseline.version.pack_id != run.version.pack_id:
        raise GateRefused("baseline_of_another_pack", f"Run {baseline.pk} is of another pack.")
    if baseline.finished_at is None:
        raise GateRefused("baseline_not_ended", f"Run {baseline.pk} has not ended.")
    return baseline


def tasks_of_agent(agent: RunAgent, version_id: int, proven: Collection[int] = ()) -> list[GateTask]:
    """The tasks that an agent tried, in order, with what gates know of each trial; `proven` are ids of cases."""
    fill_facts(agent)
    standings, reasons = standings_of(version_id), reasons_of(agent)
    trials: dict[int | None, list[GateTrial]] = {}
    rows = Trial.objects.filter(run_agent=agent).order_by("case_position", "number").values_list(*COLUMNS)
    for row in rows.iterator(chunk_size=2000):
        standing = standings.get(row[1])
        if standing is not None:
            trials.setdefault(row[1], []).append(gate_trial(row, standing, reasons))
    return [gate_task(standings[case], found, is_proven=case in proven) for case, found in trials.items()]


def gate_task(standing: Standing, trials: Sequence[GateTrial], *, is_proven: bool = False) -> GateTask:
    return GateTask(
        task_id=standing.task_id,
        suite=standing.suite,
        k=standing.k,
        metric=standing.metric,
        threshold=standing.threshold,
        trials=trials,
        fingerprint=standing.fingerprint,
        flags=standing.flags,
        is_proven=is_proven,
    )


def gate_trial(row: Sequence[Any], standing: Standing, reasons: Mapping[int, str]) -> GateTrial:
    pk, _, status, stopped, score, error, cost, took, latencies, tools, violations, seconds, reported = row
    return GateTrial(
        state=STATES.get(joint_state(status, stopped), "skipped"),
        score=score,
        step_latencies=latencies or (),
        cost_usd=reported if cost is None else cost,
        wall_seconds=took if seconds is None else seconds,
        violations=violations or (),
        forbidden_calls=sum((tools or {}).get(tool, 0) for tool in standing.forbidden),
        reason=(error or reasons.get(pk, ""))[:MAX_REASON],
        id=pk,
    )


def reasons_of(agent: RunAgent) -> dict[int, str]:
    """Why trials failed, by their ids: what their first failing grader says."""
    rows = Grade.objects.filter(trial__run_agent=agent, trial__status=TrialStatus.FAILED, verdict="fail")
    found: dict[int, str] = {}
    for trial, key, reason in rows.order_by("trial", "position").values_list("trial", "key", "reason"):
        found.setdefault(trial, f"{key}: {reason}" if reason else key)
    return found


def keep(judged: Judged, user: User | None = None) -> GateCheck:
    """Write down what a gate said."""
    result, run = judged.result, judged.candidate.agent.run
    before = judged.baseline
    assert run.finished_at is not None
    report = as_json(result)
    check = GateCheck.objects.create(
        pack=run.version.pack,
        run=run,
        run_agent=judged.candidate.agent,
        gate=result.gate,
        verdict=result.verdict,
        blocking=result.blocking,
        exit_code=result.exit_code,
        baseline=before.agent.run if before else None,
        policy=judged.policy.as_dict(),
        policy_source=judged.source,
        conditions=condition_documents(result),
        members=member_documents(result, before.tasks if before else None),
        suites=report["suites"],
        warnings=list(result.warnings),
        branch=branch_of(run),
        commit=commit_of(run),
        run_ended_at=run.finished_at,
        created_by=user,
    )
    if check.verdict == GateVerdict.FAIL:
        note(failing(check))
    return check


def failing(check: GateCheck) -> Notice:
    """What who started the run and who made the pack are to know of a gate that says no."""
    pack, run = check.pack, check.run
    return Notice(
        kind=GATE_FAILED,
        team=pack.team_id,
        title=f"The gate {check.gate} of {pack} is red for {check.run_agent} in {run.title}.",
        place="runs:gate-check",
        args=(check.pk,),
        people=those(run.created_by_id, pack.created_by_id),
        by=check.created_by_id,
        facts={"pack": pack.slug, "run": run.pk, "gate": check.gate, "check": check.pk, "verdict": check.verdict},
    )


def verdict_of(run: Run, gate: str) -> GateCheck | None:
    """What a gate said of a run as it ended; None where nobody has asked yet."""
    if run.finished_at is None:
        return None
    return GateCheck.objects.filter(run=run, gate=gate, run_ended_at=run.finished_at).first()


def result_of(check: GateCheck) -> GateResult:
    """The result that a check keeps."""
    head = {name: getattr(check, name) for name in ("gate", "verdict", "blocking", "warnings")}
    return kept_result(head, check.members, check.conditions)


def report_of(check: GateCheck) -> dict[str, Any]:
    """The report of a kept result (task-suite 7.5), with its own id and that of the agent."""
    report = as_json(result_of(check), str(check.run_id), str(check.baseline_id or ""))
    own = {"id": check.pk, "run_agent_id": check.run_agent_id, "created_at": check.created_at.isoformat()}
    return {**report, "conditions": check.conditions, "policy": check.policy, **own}


def report_of_judged(judged: Judged) -> dict[str, Any]:
    """The report of a result that is not kept, in the same shape."""
    before = judged.baseline
    baseline = str(before.agent.run_id) if before else ""
    report = as_json(judged.result, str(judged.candidate.agent.run_id), baseline)
    conditions = condition_documents(judged.result)
    return {**report, "conditions": conditions, "policy": judged.policy.as_dict(), "id": None}


def junit_of(check: GateCheck) -> str:
    """A kept result as JUnit XML."""
    return as_junit(result_of(check))


def check_all_agents(run: Run, gate: str, baseline: Run | None, user: User | None) -> Iterator[GateCheck]:
    """What a gate says of each agent of a run, kept."""
    for entry in run.agents.order_by("position"):
        yield keep(judge(run, gate, agent=str(entry.pk), baseline=baseline), user)
