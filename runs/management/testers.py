"""`run start --tester`: a tester configuration says what to call a run, who enters it and what checkers may run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packs.formats.later import Later
from packs.models import Team
from runs.models import Agent

if TYPE_CHECKING:
    from packs.formats import testers
else:
    testers = Later("packs.formats.testers")

SHELL = ("sh", "-c")


class UnusableTester(Exception):
    """A tester configuration that no run can be started with; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Started:
    """What a tester configuration gives to a run; all empty without one."""

    name: str = ""
    policy: Mapping[str, Any] = field(default_factory=dict)
    agents: tuple[Agent, ...] = ()


def started_by(path: Path | None, team: Team, named: bool) -> Started:
    """What a configuration says; its harness enters the run unless agents are `named`.

    Raises UnusableTester, OSError.
    """
    if path is None:
        return Started()
    tester, findings = testers.read_tester(path.read_bytes(), str(path))
    if tester is None:
        raise UnusableTester("\n".join(f"{found.file}:{found.line}: {found.message}" for found in findings))
    agents = () if named else (agent_of(tester, team),)
    return Started(tester.run_id, tester.policy, agents)


def agent_of(tester: "testers.Tester", team: Team) -> Agent:
    """The agent that stands for the harness, made when it is first wanted.

    A command gets the task on its standard input and in `task.json`, and answers on its standard output. Raises
    UnusableTester for a harness that is no command, and where its name is another agent's.
    """
    if tester.harness != "command":
        raise UnusableTester(f"Name an agent with --agent: this studio has no harness {tester.harness}.")
    config = config_of(tester.config)
    agent, _ = Agent.objects.get_or_create(
        team=team, name=tester.run_id[:100], defaults={"kind": "command", "config": config}
    )
    if agent.kind != "command" or agent.config != config:
        raise UnusableTester(f"There is another agent {agent.name!r} already; name one with --agent.")
    return agent


def config_of(harness: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration of a command agent from that of a harness; a text goes through a shell."""
    command = harness["command"]
    config: dict[str, Any] = {"arguments": [*SHELL, command] if isinstance(command, str) else list(command)}
    seconds = harness.get("timeout_seconds")
    return config if seconds is None else {**config, "timeout_seconds": seconds}
