"""Agents: the kinds of system under test that the studio can run."""

from runs.agents import command, echo, empty, recorded, reference, scripted
from runs.agents.contract import Agent

AGENTS: dict[str, Agent] = {
    "echo": echo,
    "reference": reference,
    "empty": empty,
    "scripted": scripted,
    "command": command,
    "recorded": recorded,
}
