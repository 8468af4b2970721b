"""Tools of a pack that answer by themselves: with a fixed, a looked up or an echoed response (challenge-pack c.5)."""

from collections.abc import Mapping
from typing import Any

from runs.agents.tools.contract import Arguments, Done, Origin, ToolFailed
from runs.agents.tools.placeholders import Values, as_text, fill

FALLBACK = "*"


def answer(implementation: Mapping[str, Any], arguments: Arguments) -> Done:
    """The response of a mock. Raises ToolFailed for a strategy or a key that it does not know."""
    strategy = strategy_of(implementation)
    if strategy == "lookup":
        return Done(look_up(implementation, arguments))
    if strategy == "echo":
        return Done(fill(implementation.get("template", {}), Values(arguments, is_lenient=True)))
    if strategy == "static":
        return Done(implementation.get("response", {}))
    raise ToolFailed(f"there is no mock strategy {strategy!r}", Origin.RESOLUTION)


def strategy_of(implementation: Mapping[str, Any]) -> str:
    """The strategy that is stated, else the one whose fields are there."""
    stated = str(implementation.get("strategy") or "").strip().lower()
    if stated:
        return stated
    if implementation.get("lookup_key") or implementation.get("responses"):
        return "lookup"
    return "echo" if implementation.get("template") else "static"


def look_up(implementation: Mapping[str, Any], arguments: Arguments) -> Any:
    """The response for the value of one argument, or that of the fallback."""
    responses = implementation.get("responses")
    known = responses if isinstance(responses, Mapping) else {}
    name = str(implementation.get("lookup_key") or "").strip()
    key = as_text(arguments[name]) if name in arguments else ""
    if key in known:
        return known[key]
    if FALLBACK in known:
        return known[FALLBACK]
    raise ToolFailed(f"there is no response for {name} {key!r}")
