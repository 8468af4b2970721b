"""Which built-in tools a task lets its agent use (challenge-pack a.4, c.5)."""

from collections.abc import Iterable
from typing import Any

from packs.formats.task import Environment
from runs.agents.tools.contract import Primitive
from runs.agents.tools.submission import NAME as SUBMIT

# Ways of driving an agent in which it has tools at all.
WITH_TOOLS = frozenset({"native", "multi_turn"})


def is_allowed(primitive: Primitive, environment: Environment) -> bool:
    """Whether the policy of a task lets this primitive work, directly or for a tool of the pack."""
    if primitive.name == SUBMIT:
        return True
    policy = environment.tool_policy
    if primitive.kind == "shell":
        return policy.get("allow_shell") is True
    kinds = {kind.strip().lower() for kind in texts(policy.get("allowed_tool_kinds"))}
    if kinds and primitive.kind not in kinds:
        return False
    return primitive.kind != "network" or has_network(environment)


def has_network(environment: Environment) -> bool:
    """Whether tools may use the network: as the policy says, and where it says nothing as the sandbox does."""
    stated = environment.tool_policy.get("allow_network")
    return stated if isinstance(stated, bool) else environment.network


def is_visible(name: str, environment: Environment, *, is_own: bool) -> bool:
    """Whether the agent may call a tool by its name. A list of allowed names is about built-in tools only."""
    if name == SUBMIT:
        return True
    tools = environment.tools
    if name in names(tools.get("denied")):
        return False
    allowed = names(tools.get("allowed"))
    return is_own or not allowed or name in allowed


def names(value: Any) -> frozenset[str]:
    return frozenset(text.strip() for text in texts(value) if text.strip())


def texts(value: Any) -> Iterable[str]:
    return (item for item in value if isinstance(item, str)) if isinstance(value, list | tuple) else ()
