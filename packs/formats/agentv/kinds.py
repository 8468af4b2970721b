"""The kinds of assertion with what each one needs, and the settings that decide over a whole test (agentv F)."""

from collections.abc import Callable, Iterator, Mapping
from sys import float_info
from typing import Any

from packs.formats.agentv.reading import is_text
from packs.formats.document import Document
from packs.formats.values import is_number, listing, mapping

TEXT_KINDS = ("contains", "icontains", "starts-with", "ends-with", "equals", "regex")
LIST_KINDS = ("contains-any", "icontains-any", "contains-all", "icontains-all")
REMOVED_KINDS = ("code-judge", "llm-judge")
TRAJECTORY_MODES = ("any_order", "in_order", "exact", "superset", "subset")
ARGUMENT_MATCHES = ("exact", "superset", "subset", "ignore")
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
EXPLORATION_TOLERANCE = "exploration_tolerance"
FIELD_MATCHES = ("exact", "numeric_tolerance", "date")


class Fatal(Exception):
    """Settings for which the whole test is left out."""


def kind_of(assertion: Document) -> str:
    """The type of an assertion in its usual spelling; empty where it states none."""
    stated = assertion.get("type")
    return stated.replace("_", "-") if isinstance(stated, str) else ""


def name_of(kind: str, assertion: Document) -> str:
    """The name of an assertion's row: its own, else the automatic one."""
    if isinstance(assertion.get("name"), str):
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
    if "weight" in assertion:
        if not is_limit(assertion["weight"]):
            raise Fatal("its weight is not a number of at least 0")
        found["weight"] = assertion["weight"]
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


def is_limit(value: Any) -> bool:
    """Whether a value is a finite number of at least 0."""
    return is_number(value) and 0 <= value <= float_info.max


def missing_of(kind: str, assertion: Document) -> str:
    """What keeps an assertion of a kind from being used; empty where nothing does. Raises Fatal."""
    if kind in REMOVED_KINDS:
        return f"the type {kind} was removed"
    if name_of(kind, assertion) == "":
        return "its name is empty"
    return _NEEDS[kind](assertion) if kind in _NEEDS else ""


def counted(kind: str, assertion: Document) -> Document:
    """An assertion without the parts that do not count: what is not text in a list of texts, what is no limit, what is
    no call of a tool, and fields that cannot be compared."""
    found = assertion
    if kind in LIST_KINDS:
        found = {**found, "value": [item for item in found["value"] if isinstance(item, str)]}
    if kind == "token-usage":
        found = {key: value for key, value in found.items() if key not in TOKEN_LIMITS or is_limit(value)}
    if kind == "tool-trajectory":
        found = _without_args_match({**found, **_calls(found)})
    if kind == "field-accuracy":
        found = {**found, "fields": list(_fields(found))}
    return found


def _calls(assertion: Document) -> Document:
    """The expected calls and the least numbers of calls that count."""
    found: Document = {}
    if "minimums" in assertion:
        found["minimums"] = {tool: least for tool, least in assertion["minimums"].items() if is_limit(least)}
    if "expected" in assertion:
        calls = map(mapping, assertion["expected"])
        found["expected"] = [_call(call) for call in calls if isinstance(call.get("tool"), str)]
    return found


def _call(stated: Document) -> Document:
    """An expected call without arguments, ways to compare them and times that do not count."""
    found = _without_args_match(stated)
    if stated.get("args") != "any" and not isinstance(stated.get("args"), dict):
        found.pop("args", None)
    if not _at_least(stated.get("max_duration_ms")):
        found.pop("max_duration_ms", None)
    return found


def _without_args_match(stated: Document) -> Document:
    """A copy that says how arguments are compared only where it does so by one of the ways or by a list of fields."""
    value = stated.get("args_match")
    is_usable = value in ARGUMENT_MATCHES or any(isinstance(item, str) and item for item in listing(value))
    return {key: part for key, part in stated.items() if key != "args_match" or is_usable}


def _fields(assertion: Document) -> Iterator[Document]:
    """The fields of field-accuracy that state a path and how to compare."""
    for field in map(mapping, listing(assertion.get("fields"))):
        if isinstance(field.get("path"), str) and field["path"] and field.get("match") in FIELD_MATCHES:
            yield field


def _needs(is_met: Callable[[Document], bool], reason: str) -> Callable[[Document], str]:
    return lambda assertion: "" if is_met(assertion) else reason


def _trajectory(assertion: Document) -> str:
    mode = assertion.get("mode")
    if mode not in TRAJECTORY_MODES:
        return f"its mode is none of {', '.join(TRAJECTORY_MODES)}"
    if not isinstance(assertion.get("minimums", {}), dict):
        return "its minimums are no mapping"
    if not isinstance(assertion.get("expected", []), list):
        return "its expected calls are no list"
    needed = "minimums" if mode == "any_order" else "expected"
    return "" if needed in assertion else f"{mode} needs {needed}"


def members_of(assertion: Document) -> Any:
    """The members of a composite, under the usual name or an older one."""
    names = ("assertions", "assert", "evaluators")
    return next((assertion[name] for name in names if assertion.get(name) is not None), None)


def aggregator_of(assertion: Document) -> Document:
    """What puts the members of a composite together, its type in its usual spelling."""
    stated = mapping(assertion.get("aggregator"))
    kind = stated.get("type")
    return {**stated, "type": kind if kind in AGGREGATORS else kind_of(stated)} if stated else {}


def _composite(assertion: Document) -> str:
    aggregator = aggregator_of(assertion)
    if not isinstance(members_of(assertion), list):
        return "it has no members"
    if aggregator.get("type") not in AGGREGATORS:
        return f"its aggregator is none of {', '.join(AGGREGATORS)}"
    if aggregator["type"] == "code-grader" and not (isinstance(aggregator.get("path"), str) and aggregator["path"]):
        return "its aggregator has no path"
    if aggregator["type"] == "threshold":
        limit = aggregator.get("threshold")
        return "" if is_number(limit) and 0 <= limit <= 1 else "its threshold is not a number from 0 to 1"
    return ""


def _command(assertion: Document) -> str:
    command = next((assertion[name] for name in ("command", "script") if assertion.get(name) is not None), None)
    if command is None:
        return "it has no command"
    if not is_text(command):
        arguments_of(command, "its command")
    return ""


def arguments_of(stated: Any, what: str) -> list[str]:
    """The arguments of a command that must be a list. Raises Fatal for anything else and for blank ones."""
    parts = listing(stated)
    if not parts or not all(is_text(part) for part in parts):
        raise Fatal(f"{what} must be a list of texts that are not blank")
    return parts


def _metrics(assertion: Document) -> str:
    stated = {
        name: assertion[name] for name in (*METRIC_LIMITS, EXPLORATION_TOLERANCE) if assertion.get(name) is not None
    }
    if not any(name in stated for name in METRIC_LIMITS):
        return f"it has none of the limits {', '.join(METRIC_LIMITS)}"
    wrong = [name for name, value in stated.items() if not is_limit(value)]
    return f"its {wrong[0]} is not a number of at least 0" if wrong else ""


def _at_least(value: Any) -> bool:
    return is_number(value) and value >= 0


_TEXT = _needs(
    lambda assertion: isinstance(assertion.get("value"), str) and assertion["value"] != "", "it has no text as value"
)
_LIST = _needs(
    lambda assertion: any(isinstance(item, str) for item in listing(assertion.get("value"))),
    "its value is not a list of texts",
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
    "field-accuracy": _needs(lambda assertion: any(_fields(assertion)), "it has no field with a path and a match"),
    "latency": _needs(lambda assertion: _at_least(assertion.get("threshold")), "it has no threshold of at least 0"),
    "cost": _needs(lambda assertion: _at_least(assertion.get("budget")), "it has no budget of at least 0"),
    "token-usage": _needs(
        lambda assertion: any(is_limit(assertion.get(name)) for name in TOKEN_LIMITS),
        f"it has none of the limits {', '.join(TOKEN_LIMITS)}",
    ),
    "execution-metrics": _metrics,
    "skill-trigger": _needs(
        lambda assertion: isinstance(assertion.get("skill"), str) and assertion["skill"] != "", "it names no skill"
    ),
}
KINDS = tuple(_NEEDS)
