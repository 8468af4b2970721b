"""Marks for programs that are not fully confined: red where nothing confines them, amber where isolation is reduced."""

from django import template

from runs.agents import AGENTS
from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.models import Event, Run, Trial, TrialStatus
from runs.sandbox.contract import Isolation

register = template.Library()

STARTED = "system.run.started"
FIRST = 1


@register.inclusion_tag("runs/agents/_isolation.html")
def agent_isolation(kind: str) -> dict[str, str]:
    """How programs of this kind of agent would be confined if a trial started now."""
    choice = chosen_sandbox()
    is_program = kind in AGENTS and AGENTS[kind].RUNS_PROGRAMS and bool(choice.kind)
    return {"isolation": choice.ISOLATION.value if is_program else ""}


@register.inclusion_tag("runs/agents/_isolation.html")
def trial_isolation(trial: Trial) -> dict[str, str]:
    """How the programs of a trial were confined, as its first event tells."""
    return {"isolation": reported_by([trial.pk]) if works_on_files(trial.run_agent.kind) else ""}


@register.inclusion_tag("runs/agents/_isolation.html")
def run_isolation(run: Run) -> dict[str, str]:
    """How the programs of a run were confined, by the first trial of each agent that works on files."""
    entries = [entry.pk for entry in run.agents.all() if works_on_files(entry.kind)]
    begun = Trial.objects.filter(run=run).exclude(status__in=(TrialStatus.HELD, TrialStatus.QUEUED)).order_by("pk")
    firsts = [begun.filter(run_agent=entry).values_list("pk", flat=True).first() for entry in entries]
    return {"isolation": reported_by([pk for pk in firsts if pk is not None])}


def works_on_files(kind: str) -> bool:
    return kind in AGENTS and bool(AGENTS[kind].NEEDS_WORKSPACE)


def reported_by(trials: list[int]) -> str:
    """The weakest isolation that the first events of trials tell; empty when none tells any."""
    if not trials:
        return ""
    events = Event.objects.filter(trial__in=trials, sequence=FIRST, event_type=STARTED)
    reported = {str(payload.get("isolation", "")) for payload in events.values_list("payload", flat=True)}
    return next(
        (kind.value for kind in (Isolation.NONE, Isolation.REDUCED, Isolation.FULL) if kind.value in reported), ""
    )
