"""The latest verdicts of gates on a run, as its page shows them."""

from dataclasses import dataclass

from runs.models import GateCheck, Run

SHOWN = ("gate", "verdict", "run_agent", "run_agent__name", "run_ended_at", "created_at")


@dataclass(frozen=True, slots=True)
class GateChip:
    """What a gate said last of an agent; one that `is_outdated` was asked before the run continued."""

    check: GateCheck
    is_outdated: bool


def gate_chips(run: Run) -> list[GateChip]:
    """The latest verdict of each gate on each agent of a run that has ended, in the order of the first ones."""
    if run.finished_at is None:
        return []
    found: dict[tuple[str, int], GateCheck] = {}
    rows = GateCheck.objects.filter(run=run).select_related("run_agent").only(*SHOWN).order_by("pk")
    for check in rows:
        found[check.gate, check.run_agent_id] = check
    return [GateChip(check, check.run_ended_at != run.finished_at) for check in found.values()]
