"""What a run is compared with: the run that the policy of a gate means (task-suite 7.3)."""

from collections.abc import Iterator
from typing import Any

from packs.formats.characters import storable
from runs.gates.policy import Baseline
from runs.models import GateCheck, GateVerdict, Release, Run, RunAgent

# How many earlier verdicts are looked through for one that fits.
LOOKED_THROUGH = 500


def find_baseline(run: Run, gate: str, policy: Baseline) -> Run | None:
    """The run that the policy means; None where there is none. It belongs to the same pack and is older."""
    finders = {
        "pinned": _pinned,
        "target_branch": _on_target,
        "previous_same_gate": _previous,
        "last_release": _released,
    }
    return finders[policy.policy](run, gate, policy)


def branch_of(run: Run) -> str:
    """The branch that a run is of, as its pipeline said; empty where nobody did."""
    return _stated(run, "branch")


def commit_of(run: Run) -> str:
    return _stated(run, "commit") or _stated(run, "sha")


def ancestors_of(run: Run) -> set[str]:
    """The commits that the candidate grew from, as far as its pipeline named them: `merge_base` and `ancestors`."""
    reported = run.metadata.get("ancestors") if isinstance(run.metadata, dict) else None
    listed = [commit for commit in reported if isinstance(commit, str)] if isinstance(reported, list) else []
    return {commit for commit in [_stated(run, "merge_base"), *listed] if commit}


def _stated(run: Run, name: str) -> str:
    value: Any = run.metadata.get(name) if isinstance(run.metadata, dict) else None
    return storable(value.strip())[:255] if isinstance(value, str) else ""


def _pinned(run: Run, gate: str, policy: Baseline) -> Run | None:
    number = pinned_number(policy.run_id)
    known = Run.objects.filter(version__pack=run.version.pack_id, finished_at__isnull=False).exclude(pk=run.pk)
    return known.filter(pk=number).first() if number is not None else None


def pinned_number(stated: Any) -> int | None:
    """The id of the run that a policy names, as `12` or `#12`; None where it cannot be one."""
    number = str(stated).removeprefix("#")
    return int(number) if number.isdecimal() and len(number) < 19 else None


def _earlier_checks(run: Run, gate: str) -> Iterator[GateCheck]:
    """What the gate said last of each older run, the newest run first."""
    rows = (
        GateCheck.objects.kept().filter(pack=run.version.pack_id, gate=gate, run__lt=run.pk).order_by("-run_id", "-id")
    )
    seen: set[int] = set()
    for check in rows.only("run", "verdict", "branch", "commit")[:LOOKED_THROUGH]:
        if check.run_id not in seen:
            seen.add(check.run_id)
            yield check


def _on_target(run: Run, gate: str, policy: Baseline) -> Run | None:
    """The newest run on the branch that passed. Where the pipeline named what the candidate grew from, the run's commit
    must be among that; a run of which no branch is known counts as one of the target."""
    ancestors = ancestors_of(run)
    for check in _earlier_checks(run, gate):
        is_there = check.branch in ("", policy.branch) and check.verdict == GateVerdict.PASS
        if is_there and (not ancestors or check.commit in ancestors):
            return Run.objects.get(pk=check.run_id)
    return None


def _previous(run: Run, gate: str, policy: Baseline) -> Run | None:
    branch = branch_of(run)
    found = next((check for check in _earlier_checks(run, gate) if check.branch == branch), None)
    return Run.objects.get(pk=found.run_id) if found else None


def _released(run: Run, gate: str, policy: Baseline) -> Run | None:
    rows = Release.objects.filter(pack=run.version.pack_id).exclude(run=run.pk)
    found = rows.select_related("run").first()
    return found.run if found and found.run.finished_at else None


def counterpart(agent: RunAgent, baseline: Run) -> RunAgent | None:
    """The agent of the baseline that an agent is compared with: the same one, one of its name, or the only one."""
    entries = list(baseline.agents.order_by("position"))
    same = [entry for entry in entries if agent.agent_id is not None and entry.agent_id == agent.agent_id]
    named = [entry for entry in entries if entry.name == agent.name]
    alone = entries if len(entries) == 1 else []
    return next(iter([*same, *named, *alone]), None)
