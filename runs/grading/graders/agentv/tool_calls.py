"""tool-trajectory: which tools the agent called, in which order, how and how fast (agentv F.10)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from packs.formats.values import mapping
from runs.grading.graders.agentv.rows import Check, ScoreRow, share
from runs.grading.graders.agentv.scene import Missing, Raised, Scene
from runs.grading.graders.evidence import ToolCall
from runs.grading.graders.values import as_number, json_equal

Calls = Sequence[ToolCall]
_NOTHING = object()
NOTHING_EXPECTED = ScoreRow(1.0, (Check("nothing is expected", True),))


@dataclass(frozen=True, slots=True)
class Expected:
    """One call that is expected; `match` says how its arguments are compared."""

    tool: str
    args: Any = None
    match: Any = "exact"
    most_ms: float | None = None

    def names(self, call: ToolCall) -> bool:
        return call.name == self.tool

    def fits(self, call: ToolCall) -> bool:
        """Whether a call has this name and these arguments."""
        return self.names(call) and arguments_fit(self, call)


@dataclass(slots=True)
class CallChecks:
    """What was found on the way: one check for each expectation, and further ones for durations."""

    checks: list[Check] = field(default_factory=list)

    def expectation(self, expected: Expected, call: ToolCall | None, is_hit: bool) -> None:
        """Note whether an expectation was met by a call, and whether that was quick enough."""
        reported = "no such call was left" if call is None else "" if is_hit else f"{call.name} had other arguments"
        self.checks.append(Check(f"{expected.tool} is called", is_hit, reported))
        if expected.most_ms is None:
            return
        taken = call.duration_ms if call is not None and is_hit else None
        if is_hit and taken is None:
            # Nobody knows how long it took, so it counts neither way.
            return
        holds = taken is not None and taken <= expected.most_ms
        evidence = "it was not called" if taken is None else f"it took {taken:g} ms"
        self.checks.append(Check(f"{expected.tool} takes at most {expected.most_ms:g} ms", holds, evidence))


def judge(scene: Scene) -> ScoreRow:
    """The share of what is expected that the calls of the trial meet."""
    calls, mode = scene.recording.tool_calls, scene.assertion.get("mode")
    if scene.recording.final_output is None and not calls:
        raise Missing("the agent neither answered nor called a tool")
    if mode == "any_order":
        return any_order(mapping(scene.assertion.get("minimums")), calls)
    if mode not in MODES:
        raise Raised(f"there is no mode {mode!r}")
    return MODES[mode](expectations(scene.assertion), calls)


def expectations(assertion: Mapping[str, Any]) -> list[Expected]:
    """The calls that an assertion expects. Raises Raised."""
    stated = assertion.get("expected")
    if not isinstance(stated, list):
        raise Raised("there is no list of expected calls")
    common = assertion.get("args_match", "exact")
    return [
        Expected(
            tool=str(item.get("tool", "")),
            args=item.get("args"),
            match=item.get("args_match", common),
            most_ms=as_number(item.get("max_duration_ms")),
        )
        for item in map(mapping, stated)
    ]


def any_order(minimums: Mapping[str, Any], calls: Calls) -> ScoreRow:
    """Each tool is called at least so often."""
    counts = Counter(call.name for call in calls)
    wanted = {tool: as_number(least) or 0.0 for tool, least in minimums.items()}
    checks = [
        Check(f"{tool} is called at least {least:g} times", counts[tool] >= least, f"{counts[tool]} times")
        for tool, least in wanted.items()
    ]
    return share(checks) if checks else NOTHING_EXPECTED


def in_order(expected: Sequence[Expected], calls: Calls) -> ScoreRow:
    """The calls come in this order, with any others between them."""
    found, position = CallChecks(), 0
    for each in expected:
        place = next((at for at in range(position, len(calls)) if each.names(calls[at])), None)
        call = None if place is None else calls[place]
        position = len(calls) if place is None else place + 1
        found.expectation(each, call, call is not None and arguments_fit(each, call))
    return share(found.checks) if expected else NOTHING_EXPECTED


def exact(expected: Sequence[Expected], calls: Calls) -> ScoreRow:
    """The calls are these; further ones are reported and cost nothing."""
    found = CallChecks()
    for position, each in enumerate(expected):
        call = calls[position] if position < len(calls) else None
        found.expectation(each, call, call is not None and each.fits(call))
    if not expected:
        return NOTHING_EXPECTED
    row = share(found.checks)
    if len(calls) == len(expected):
        return row
    count = Check(f"{len(expected)} calls are made", False, f"{len(calls)} were made")
    return ScoreRow(row.score, (count, *row.checks))


def superset(expected: Sequence[Expected], calls: Calls) -> ScoreRow:
    """Each expectation is met by a call of its own, in any order."""
    unused, checks = list(calls), []
    for each in expected:
        place = next((at for at, call in enumerate(unused) if each.fits(call)), None)
        if place is not None:
            del unused[place]
        checks.append(Check(f"{each.tool} is called", place is not None))
    return share(checks) if checks else NOTHING_EXPECTED


def subset(expected: Sequence[Expected], calls: Calls) -> ScoreRow:
    """Each call meets an expectation."""
    if not calls:
        return ScoreRow(1.0, (Check("only expected tools are called", True, "no tool was called"),))
    return share(
        [Check(f"the call of {call.name} is expected", any(each.fits(call) for each in expected)) for call in calls]
    )


MODES: Mapping[Any, Callable[[Sequence[Expected], Calls], ScoreRow]] = {
    "in_order": in_order,
    "exact": exact,
    "superset": superset,
    "subset": subset,
}


def arguments_fit(expected: Expected, call: ToolCall) -> bool:
    """Whether the arguments of a call are as expected; a call without any is so only where nothing is."""
    if expected.args is None or expected.args == "any" or expected.match == "ignore":
        return True
    if call.is_bare or not isinstance(expected.args, Mapping):
        return False
    if isinstance(expected.match, list):
        return all(_same_at(path, expected.args, call.arguments) for path in expected.match if isinstance(path, str))
    given = call.arguments
    if expected.match == "superset":
        return isinstance(given, Mapping) and _all_equal(expected.args, given)
    if expected.match == "subset":
        return isinstance(given, Mapping) and _all_equal(given, expected.args)
    return json_equal(expected.args, given)


def _all_equal(part: Mapping[str, Any], whole: Mapping[str, Any]) -> bool:
    return all(name in whole and json_equal(value, whole[name]) for name, value in part.items())


def _same_at(path: str, expected: Any, given: Any) -> bool:
    wanted = _at(path, expected)
    return wanted is _NOTHING or json_equal(wanted, _at(path, given))


def _at(path: str, value: Any) -> Any:
    for step in path.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return _NOTHING
        value = value[step]
    return value
