"""Whom a pack is meant for, beside the agents of the team that bear these names."""

from dataclasses import dataclass

from packs.formats import adapter_of
from packs.models import PackVersion
from runs.agents import AGENTS
from runs.models import Agent
from runs.planning import first_tasks


@dataclass(frozen=True, slots=True)
class Target:
    """An agent that a pack names; `agent` is that of the team with this name, None where there is none."""

    name: str
    agent: Agent | None


def targets_of(version: PackVersion) -> list[Target]:
    """The agents that the version's cases name, in order; of many cases the first ones are asked."""
    if not adapter_of(version.pack.format).HAS_TRIALS:
        return []
    names = list(dict.fromkeys(name for task in first_tasks(version) for name in task.schedule.targets))
    rows = Agent.objects.filter(team=version.pack.team_id, is_active=True, kind__in=AGENTS, name__in=names)
    known = {row.name: row for row in rows.defer("config")}
    return [Target(name, known.get(name)) for name in names]
