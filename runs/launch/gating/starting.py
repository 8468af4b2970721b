"""Starting a run for a gate: of the cases that belong to it, with a verdict when the run has ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from packs.formats import adapter_of
from packs.models import Pack, PackVersion, VersionStatus
from runs.gates import is_member, read_policy
from runs.jobs.gating.cases import standings_of
from runs.jobs.gating.checks import GateRefused, gate_section, own_sets
from runs.launch.launching import Options, choose_input_set, launch_once
from runs.launch.refusals import LaunchRefused
from runs.models import Agent, GateRequest, Run
from runs.models.runs import ALL_SETS


@dataclass(frozen=True, slots=True)
class Start:
    """What is wanted of a run for a gate; `metadata` is what a pipeline says: branch, commit, merge_base, ancestors.

    `baseline` takes the place of the policy's choice. Without `input_set` all of them are tried, where the format can.
    """

    gate: str
    input_set: str = ""
    name: str = ""
    trials: int | None = None
    baseline: Run | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    idempotency_key: str = ""
    request_digest: str = ""


def start_for_gate(user: User | None, version: PackVersion, agent: Agent, wanted: Start) -> Run:
    """Launch a run as `start_once` does."""
    return start_once(user, version, agent, wanted)[0]


def start_once(user: User | None, version: PackVersion, agent: Agent, wanted: Start) -> tuple[Run, bool]:
    """Launch a run of one agent whose verdict is given when it has ended, and whether it is new.

    No user stands for the operator of the machine. Raises LaunchRefused, GateRefused.
    """
    if wanted.baseline is not None and wanted.baseline.version.pack_id != version.pack_id:
        raise GateRefused("baseline_of_another_pack", f"Run {wanted.baseline.pk} is of another pack.")
    input_set = wanted.input_set or choose_sets(version)
    options = Options(
        input_set=input_set,
        name=wanted.name,
        trials=wanted.trials,
        metadata=wanted.metadata,
        idempotency_key=wanted.idempotency_key,
        request_digest=wanted.request_digest,
        cases=members_of(version, wanted.gate, input_set),
    )
    with transaction.atomic():
        run, is_new = launch_once(user, version, [agent], options)
        GateRequest.objects.get_or_create(
            run=run, gate=wanted.gate, defaults={"baseline": wanted.baseline, "created_by": user}
        )
    return run, is_new


def choose_sets(version: PackVersion) -> str:
    """What is tried where nothing is said: all input sets, in formats that can."""
    return ALL_SETS if adapter_of(version.pack.format).RUNS_ALL_SETS and version.input_sets.exists() else ""


def members_of(version: PackVersion, gate: str, given: str) -> frozenset[int] | None:
    """The cases of a version that belong to a gate; None where it has no cases at all.

    Raises GateRefused where none of them does, LaunchRefused for an input set that is not there.
    """
    standings: Mapping[int, Any] = {case: found for case, found in standings_of(version.pk).items() if case is not None}
    if not standings:
        return None
    chosen, _ = choose_input_set(version, given)
    sets = own_sets(version)
    section, _ = gate_section(version, gate)
    policy = read_policy(gate, section, sets if chosen is None or sets is None else [chosen.key])
    members = {
        case
        for case, found in standings.items()
        if is_member(policy, found.suite, found.flags) and (chosen is None or found.suite == chosen.key)
    }
    if not members:
        raise GateRefused("gate_without_members", "No case of this version belongs to the gate.")
    return frozenset(members)


def newest_version(pack: Pack) -> PackVersion:
    """The version that is run where none is named. Raises LaunchRefused."""
    rows = PackVersion.objects.filter(pack=pack, status=VersionStatus.RUNNABLE).select_related("pack__team")
    version: PackVersion | None = rows.order_by("-number").first()
    if version is None:
        raise LaunchRefused("invalid_challenge_pack_version_id", f"{pack} has no version that can be run.")
    return version
