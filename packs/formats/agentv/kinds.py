"""The kinds of assertion with what each one needs, and the settings that decide over a whole test (agentv F)."""

from collections.abc import Callable, Mapping
from typing import Any

from packs.formats.agentv.reading import is_text
from packs.formats.document import Document
from packs.formats.values import is_number, listing, mapping

TEXT_KINDS = ("contains", "icontains", "starts-with", "ends-with", "equals", "regex")
LIST_KINDS = ("contains-any", "icontains-any", "contains-all", "icontains-all")
REMOVED_KINDS = ("code-judge", "llm-judge")
TRAJECTORY_MODES = ("any_order", "in_order", "exact", "superset", "subset")
AGGREGATORS = ("weighted_average", "threshold", "code-grader", "llm-grader")
TOKEN_LIMITS = ("max_total", "max_input", "max_output")
METRIC_LIMITS = (
    "max_tool_calls",
    "max_llm_calls",
    "max_tokens",
    "max_cost_usd",
    "max_duration_ms",
    "target_exploration_ratio",
)
COMMON = ("weight", "required", "min_score", "negate")


class Fatal(Exception):
    """Settings for which the whole test is left out."""


def kind_of(assertion: Document) -> str:
    """The type of an assertion in its usual spelling; empty where it states none."""
    stated = assertion.get("type")
    return stated.strip().replace("_", "-") if isinstance(stated, str) else ""


def name_of(kind: str, assertion: Document) -> str:
    """The name of an assertion's row: its own, else the automatic one."""
    if is_text(assertion.get("name")):
        return str(assertion["name"])
    value = assertion.get("value")
    if kind == "regex":
        return f"regex-{str(value)[:30]}"
    if kind in TEXT_KINDS:
        return f"{kind}-{value}"
    if kind in LIST_KINDS:
        return f"{kind}-{len(listing(value))}"
    return f"skill-trigger-{assertion.get('skill')}" if kind == "skill-trigger" else kind


def common_of(assertion: Document) -> Document:
    """The settings that every kind shares, as far as they count. Raises Fatal for a bad weight."""
    found: Document = {}
    if assertion.get("weight") is not None:
        weight = assertion["weight"]
        if not is_number(weight) or weight < 0:
            raise Fatal("its weight is not a number of at least 0")
        found["weight"] = weight
    required = assertion.get("required")
    if isinstance(required, bool) or (is_number(required) and 0 < required <= 1):
        found["required"] = required
    if is_share(assertion.get("min_score")):
        found["min_score"] = assertion["min_score"]
    if assertion.get("negate") is True:
        found["negate"] = True
    return found


def is_share(value: Any) -> bool:
    """Whether a value is a number above 0 and at most 1."""
    return is_number(value) and 0 < value <= 1


def missing_of(kind: str, assertion: Document) -> str:
    """What keeps an assertion of a kind from being used; empty where nothing does."""
    if kind in REMOVED_KINDS:
        return f"the type {kind} was removed"
    return _NEEDS[kind](assertion) if kind in _NEEDS else ""


def _needs(is_met: Callable[[Document], bool], reason: str) -> Callable[[Document], str]:
    return lambda assertion: "" if is_met(assertion) else reason


def _trajectory(assertion: Document) -> str:
    mode = assertion.get("mode")
    if mode not in TRAJECTORY_MODES:
        return f"its mode is none of {', '.join(TRAJECTORY_MODES)}"
    if mode == "any_order":
        return "" if isinstance(assertion.get("minimums"), dict) else "any_order needs minimums"
    return "" if isinstance(assertion.get("expected"), list) else "it has no list of expected calls"


def _composite(assertion: Document) -> str:
    aggregator = mapping(assertion.get("aggregator"))
    if not isinstance(assertion.get("assertions"), list):
        return "it has no members"
    if aggregator.get("type") not in AGGREGATORS:
        return f"its aggregator is none of {', '.join(AGGREGATORS)}"
    if aggregator["type"] == "threshold":
        limit = aggregator.get("threshold")
        return "" if is_number(limit) and 0 <= limit <= 1 else "its threshold is no number from 0 to 1"
    return ""


def _command(assertion: Document) -> str:
    command = assertion.get("command", assertion.get("script"))
    if command is None:
        return "it has no command"
    if not isinstance(command, str | list):
        raise Fatal("its command is neither a list nor a text")
    return "" if command else "its command is empty"


def _at_least(value: Any) -> bool:
    return is_number(value) and value >= 0


def _one_of(names: tuple[str, ...]) -> Callable[[Document], bool]:
    return lambda assertion: any(_at_least(assertion.get(name)) for name in names)


_TEXT = _needs(lambda assertion: isinstance(assertion.get("value"), str), "it has no text as value")
_LIST = _needs(
    lambda assertion: (
        bool(listing(assertion.get("value"))) and all(isinstance(item, str) for item in assertion["value"])
    ),
    "its value is no list of texts",
)
_NEEDS: Mapping[str, Callable[[Document], str]] = {
    **dict.fromkeys(TEXT_KINDS, _TEXT),
    **dict.fromkeys(LIST_KINDS, _LIST),
    "is-json": lambda assertion: "",
    "code-grader": _command,
    "llm-grader": lambda assertion: "",
    "rubrics": _needs(lambda assertion: bool(listing(assertion.get("criteria"))), "it has no criteria"),
    "composite": _composite,
    "tool-trajectory": _trajectory,
    "field-accuracy": _needs(lambda assertion: bool(listing(assertion.get("fields"))), "it has no fields"),
    "latency": _needs(_one_of(("threshold",)), "it has no threshold of at least 0"),
    "cost": _needs(_one_of(("budget",)), "it has no budget of at least 0"),
    "token-usage": _needs(_one_of(TOKEN_LIMITS), f"it has none of the limits {', '.join(TOKEN_LIMITS)}"),
    "execution-metrics": _needs(_one_of(METRIC_LIMITS), f"it has none of the limits {', '.join(METRIC_LIMITS)}"),
    "skill-trigger": _needs(lambda assertion: is_text(assertion.get("skill")), "it names no skill"),
}
KINDS = tuple(_NEEDS)
