"""Agents: the kinds of system under test that the studio can run, their tools, and the endpoints that answer them."""

from runs.agents import chat, command, echo, empty, http, recorded, reference, scripted
from runs.agents.contract import Agent

AGENTS: dict[str, Agent] = {
    "echo": echo,
    "reference": reference,
    "empty": empty,
    "scripted": scripted,
    "command": command,
    "chat": chat,
    "http": http,
    "recorded": recorded,
}
