"""tool_call_assertion: the tool calls of the trial are as the configuration asserts."""

from collections.abc import Iterator

from packs.formats.findings import Finding, Path, Rule
from packs.formats.kinds.contract import Expected, Kind, Settings, Target, settings
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import (
    FORMLESS,
    asking,
    choice,
    free_map,
    given,
    integer,
    says,
    text,
    texts,
    yes_no,
)

ORDER_MODES = {"subsequence": "Others may come between", "exact": "Exactly these"}
COUNTS = ("count", "min_count", "max_count")
# An order mode alone asserts nothing.
ASSERTIONS = frozenset({"tool_name", "must_call", *COUNTS, "arguments_contain"})

NO_ASSERTION = Rule(
    "challenge_pack.E563",
    "The config asserts nothing about tool calls.",
    "Add at least one of: tool_name, must_call, count, min_count, max_count, arguments_contain, ordered_tools.",
    "F12",
)
COUNT_NEGATIVE = Rule("challenge_pack.E564", "`{key}` cannot be negative.", "Write 0 or more.", "F12")
COUNTS_MIXED = Rule(
    "challenge_pack.E565",
    "`count` cannot stand beside min_count or max_count.",
    "Keep the exact count or the bounds.",
    "F12",
)
COUNTS_CROSSED = Rule(
    "challenge_pack.E566", "`min_count` is greater than `max_count`.", "Lower it, or raise `max_count`.", "F12"
)
MUST_CALL_CONFLICT = Rule(
    "challenge_pack.E567",
    "`must_call: {must_call}` contradicts `{key}: {count}`.",
    "Change one of the two.",
    "F12",
)
FRAGMENT_NO_MAPPING = Rule(
    "challenge_pack.E568", "`arguments_contain` must be a mapping.", "Write the arguments as `name: value`.", "F12"
)
TOOL_BLANK = Rule("challenge_pack.E569", "The order has an empty tool name.", "Name the tool, or remove it.", "F12")
ORDER_MODE_UNKNOWN = Rule(
    "challenge_pack.E570", "The order mode {mode!r} does not exist.", "Use subsequence or exact.", "F12"
)
ORDER_WITHOUT_TOOLS = Rule(
    "challenge_pack.E571",
    "`order_mode` says how an order is compared, but no order is given.",
    "Add `ordered_tools`.",
    "F12",
)


_ORDERED = {"properties": {"ordered_tools": {"type": "array", "minItems": 1}}, "required": ["ordered_tools"]}


def check(stated: Settings, path: Path) -> Iterator[Finding]:
    """At least one assertion, and none that contradicts another."""
    yield from _check_counts(stated, path)
    yield from _check_must_call(stated, path)
    if not isinstance(stated.get("arguments_contain", {}), dict):
        yield FRAGMENT_NO_MAPPING.at((*path, "arguments_contain"))
    yield from _check_order(stated, path)
    if not (stated.keys() & ASSERTIONS or stated.get("ordered_tools")):
        yield NO_ASSERTION.at(path)


def _check_counts(stated: Settings, path: Path) -> Iterator[Finding]:
    count, least, most = (stated.get(key) for key in COUNTS)
    for key in COUNTS:
        if stated.get(key, 0) < 0:
            yield COUNT_NEGATIVE.at((*path, key), key=key)
    if count is not None and (least is not None or most is not None):
        yield COUNTS_MIXED.at((*path, "count"))
    if least is not None and most is not None and least > most:
        yield COUNTS_CROSSED.at((*path, "min_count"))


def _check_must_call(stated: Settings, path: Path) -> Iterator[Finding]:
    """A tool that must be called has no count of 0, and one that must not has no count above 0."""
    must_call = stated.get("must_call")
    if must_call is None:
        return
    for key in ("count", "max_count" if must_call else "min_count"):
        count = stated.get(key)
        if count is not None and (count == 0 if must_call else count > 0):
            yield MUST_CALL_CONFLICT.at((*path, "must_call"), must_call=str(must_call).lower(), key=key, count=count)


def _check_order(stated: Settings, path: Path) -> Iterator[Finding]:
    tools, mode = stated.get("ordered_tools", ()), stated.get("order_mode")
    for position, tool in enumerate(tools):
        if not (tool or "").strip():
            yield TOOL_BLANK.at((*path, "ordered_tools", position))
    if mode and mode not in ORDER_MODES:
        yield ORDER_MODE_UNKNOWN.at((*path, "order_mode"), mode=mode)
    if mode and not tools:
        yield ORDER_WITHOUT_TOOLS.at((*path, "ordered_tools"))


KIND = Kind(
    "Tool calls",
    Purpose.TOOL,
    "Tools were called, or were not: how often, with what, in which order.",
    "`refund` was called once, after `look_up`",
    settings(
        {
            "tool_name": text(
                "Tool", "Count only calls of this tool.", trimmed=True, picks="tools", widget="suggestions"
            ),
            "must_call": yes_no("Must be called", "No means that it must not be called."),
            "count": integer("Exact number", minimum=0),
            "min_count": integer("Least number", minimum=0),
            "max_count": integer("Greatest number", minimum=0),
            "arguments_contain": free_map("Arguments contain", "A fragment that the arguments must hold."),
            "ordered_tools": texts(
                "Tools in order", item={"type": "string", "minLength": 1, "x-picks": "tools", "x-widget": "suggestions"}
            ),
            "order_mode": choice("Order", ORDER_MODES, trimmed=True),
        },
        allOf=[
            {"anyOf": [says("tool_name"), *map(given, sorted(ASSERTIONS - {"tool_name"})), _ORDERED], FORMLESS: True},
            asking(says("order_mode"), _ORDERED),
        ],
    ),
    rule="F12",
    check=check,
    own=frozenset({*COUNTS, "order_mode"}),
    needs_settings=True,
    target=Target.TOOL_CALLS,
    expected=Expected.REFUSED,
    evidence="tool_calls",
)
