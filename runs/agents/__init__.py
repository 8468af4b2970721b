"""Agents: the kinds of system under test that the studio can run, their tools, and the endpoints that answer them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from packs.formats.registry import Registry

if TYPE_CHECKING:
    from runs.agents.contract import Agent

_KINDS = ("chat", "command", "http", "scripted", "recorded", "reference", "echo", "empty")
# Each kind is the module of its name.
AGENTS: "Mapping[str, Agent]" = Registry(__name__, {kind: kind for kind in _KINDS})
