"""Records as a run with its trials, which workers grade as any others."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from packs.mirror import column_text
from runs.jobs.queue.messages import enqueue
from runs.launch.launching import check_access, hold_pack
from runs.launch.planning import Plan, plan_cases
from runs.launch.refusals import heed_quotas
from runs.launch.rows import place_of, write_plans
from runs.models import Run, RunAgent, Trial, TrialRecord
from runs.results.importing.matching import Import

KIND = "recorded"
# The member of a run's metadata that marks imported runs.
IMPORTED = "imported"
BATCH = 500


class ImportRefused(Exception):
    """Records of which at least one cannot be imported; `found` says what is wrong. Nothing was written."""

    def __init__(self, found: Import) -> None:
        super().__init__("The records cannot be imported.")
        self.found = found


def import_records(found: Import, user: User | None) -> Run:
    """Make a run of everything that was planned, and send its jobs after commit.

    No user stands for the operator of the machine. Raises ImportRefused, LaunchRefused.
    """
    check_access(user, found.version)
    if not found.can_import:
        raise ImportRefused(found)
    wanted = {planned.case.pk for planned in found.planned}
    plans = [plan for plan in plan_cases(found.version, found.input_set) if plan.case and plan.case.pk in wanted]
    with transaction.atomic():
        run = write_run(found, user)
        write_plans(run, plans)
        write_trials(run, found, plans)
        heed_quotas(run, run.trial_count, ())
        enqueue(run)
    return run


def write_run(found: Import, user: User | None) -> Run:
    hold_pack(found.version)
    single = found.version.input_sets.count() == 1
    return Run.objects.create(
        team=found.version.pack.team,
        version=found.version,
        input_set=found.input_set,
        selection="all" if found.input_set is None else "only_one" if single else "given",
        name=column_text(found.wish.name.strip()) or f"Imported {timezone.now().isoformat(timespec='seconds')}",
        trials_per_case=max(planned.number for planned in found.planned),
        trial_count=len(found.planned),
        counts={"queued": len(found.planned)},
        metadata={IMPORTED: {"records": len(found.planned)}},
        created_by=user,
    )


def write_trials(run: Run, found: Import, plans: list[Plan]) -> None:
    """One agent for each that made trials, one trial for each record."""
    agents = {
        name: RunAgent.objects.create(run=run, position=position, name=column_text(name)[:120], kind=KIND)
        for position, name in enumerate(found.agents)
    }
    places = {plan.case.pk: place_of(position, plan) for position, plan in enumerate(plans) if plan.case}
    trials = Trial.objects.bulk_create(
        [
            Trial(run=run, run_agent=agents[planned.agent], number=planned.number, **places[planned.case.pk])
            for planned in found.planned
        ],
        BATCH,
    )
    TrialRecord.objects.bulk_create(
        [
            TrialRecord(trial=trial, record=dict(planned.record.value))
            for trial, planned in zip(trials, found.planned, strict=True)
        ],
        BATCH,
    )
