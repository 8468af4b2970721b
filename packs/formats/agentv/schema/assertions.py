"""Schemas of assertions (agentv F): what they share, and the settings of each type."""

from collections.abc import Iterable, Mapping
from typing import Any

from packs.formats.agentv.kinds import (
    AGGREGATORS,
    KINDS,
    LIST_KINDS,
    METRIC_LIMITS,
    TEXT_KINDS,
    TOKEN_LIMITS,
    TRAJECTORY_MODES,
)
from packs.formats.agentv.schema.offered import OFFERED, SENTENCE, TEMPLATE
from packs.formats.schema.kinds import offering, opening
from packs.formats.schema.pieces import (
    Schema,
    anything,
    asking,
    block,
    choice,
    free_map,
    integer,
    items,
    long_text,
    mapping,
    number,
    share,
    text,
    texts,
    yes_no,
)

_TARGET = text(
    "Judge",
    "Name of the model that judges; the target's own grader where left out.",
    picks="targets",
    widget="suggestions",
)
_ARGUMENT = text("Argument", picks="scripts", widget="suggestions")
_COMMAND = texts(
    "Command",
    "Program and arguments; runs in the suite's folder.",
    _ARGUMENT,
    examples=[["python", "./graders/check.py"]],
)
CONVERTERS: Schema = items(
    "Converters",
    block(
        "Converter",
        {
            "type": text(
                "Kind of file", "An ending or a MIME type.", minLength=1, examples=["xlsx", "application/pdf"]
            ),
            "command": texts(
                "Command",
                "Program and arguments, the last of them a file of the pack. It gets JSON about the file on standard "
                "input, and prints the file's text.",
                _ARGUMENT,
                examples=[["python", "./scripts/xlsx-to-csv.py"]],
            ),
        },
        required=["type", "command"],
        unknown="unknown_of_converter",
    ),
    "Programs that make text of files which graders show; those of the suite hold for every grader.",
    null=False,
    rules={"type": "no_converters"},
)
_RANGES = {
    "title": "Score ranges",
    "description": "What a score from 0 to 10 means; together they cover all of it.",
    "oneOf": [
        items(
            "Ranges",
            block(
                "Range",
                {"score_range": items("From, to", integer("Score", minimum=0, maximum=10)), "outcome": text("Means")},
                required=["score_range", "outcome"],
            ),
        ),
        mapping("By lower bound", text("Means")),
    ],
}
CRITERION: Schema = {
    "title": "Criterion",
    "oneOf": [
        long_text("Text"),
        block(
            "With settings",
            {
                "id": text("Id"),
                "outcome": long_text("What must hold"),
                "operator": choice(
                    "Meant as", {"correctness": "Must hold", "contradiction": "Must not be contradicted"}
                ),
                "weight": number("Weight", minimum=0, keep=True),
                "required": yes_no("Required", keep=True),
                "min_score": share("Least score"),
                "score_ranges": _RANGES,
            },
        ),
    ],
}
_PROMPT = {
    "title": "Prompt",
    "description": "A text with {{output}} and others, file:// and a path, or a program that prints it.",
    "oneOf": [
        long_text("Text or file://path", picks=["file://{files}"]),
        block("Program", {"command": _COMMAND, "config": free_map("Settings")}, required=["command"]),
    ],
}
_CALL = block(
    "Call",
    {
        "tool": text("Tool", minLength=1),
        "args": anything("Arguments", "A mapping, or `any`.", widget="json"),
        "max_duration_ms": number("Longest time (ms)", minimum=0),
        "args_match": anything("How arguments compare", "exact, superset, subset, ignore, or a list of fields."),
    },
    required=["tool"],
)
_FIELD_BLOCK = block(
    "Field",
    {
        "path": text("Path", "Dots and [n], as in lines[0].total.", minLength=1),
        "match": choice("Compared", {"exact": "Exactly", "numeric_tolerance": "As a number", "date": "As a day"}),
        "required": yes_no("Must be there", keep=True),
        "weight": number("Weight", minimum=0, keep=True),
        "tolerance": number("Tolerance", minimum=0, keep=True),
        "relative": yes_no("Tolerance is a share", keep=True),
        "formats": texts("Formats of dates", examples=[["DD/MM/YYYY"]]),
    },
    required=["path", "match"],
)
_FIELD = opening(_FIELD_BLOCK, match={"numeric_tolerance": ["tolerance", "relative"], "date": ["formats"]})
_AGGREGATOR_BLOCK = block(
    "Aggregator",
    {
        "type": choice("How members combine", {name: name.replace("_", " ").capitalize() for name in AGGREGATORS}),
        "weights": mapping("Weights by name", number("Weight", minimum=0), propertyNames={"x-picks": "graders"}),
        "threshold": share("Share that must pass", keep=True),
        "path": text("Program", picks="scripts", widget="suggestions"),
        "cwd": text("Folder", picks="folders", widget="suggestions"),
        "prompt": long_text("Prompt", "With {{EVALUATOR_RESULTS_JSON}}."),
        "target": _TARGET,
    },
    required=["type"],
)
_AGGREGATOR = opening(
    _AGGREGATOR_BLOCK,
    type={
        "weighted_average": ["weights"],
        "threshold": ["threshold"],
        "code-grader": ["path"],
        "llm-grader": ["prompt", "target"],
    },
)
_METRICS = {
    "max_tool_calls": integer("Most tool calls", minimum=0, keep=True),
    "max_llm_calls": integer("Most model calls", minimum=0, keep=True),
    "max_tokens": integer("Most tokens", minimum=0, keep=True),
    "max_cost_usd": number("Most cost (USD)", minimum=0, keep=True),
    "max_duration_ms": number("Longest time (ms)", minimum=0, keep=True),
    "target_exploration_ratio": share("Share of exploring calls", keep=True),
    "exploration_tolerance": share("May differ by", keep=True),
}
_VALUE = {
    "title": "Value",
    "description": "What is looked for: a text, or a list of texts for the types with any and all.",
    "oneOf": [long_text("Text"), texts("Texts")],
}
COMMON: Mapping[str, Schema] = {
    "name": text("Name", "Of its row in results; made from the type where left out."),
    "type": text(
        "Type",
        "What is judged, and how.",
        examples=list(KINDS),
        widget="suggestions",
        minLength=1,
        null=False,
        rules={"type": "no_type"},
    ),
}
SETTINGS: Mapping[str, Schema] = {
    "value": _VALUE,
    "flags": text("Flags", "Of the pattern, as in JavaScript.", examples=["i"]),
    "command": {"title": "Command", "oneOf": [_COMMAND, text("Text, read by a shell")]},
    "cwd": text(
        "Folder",
        "Where the program runs; the suite's folder where left out.",
        picks="folders",
        widget="suggestions",
    ),
    "prompt": _PROMPT,
    "rubrics": items("Checklist", CRITERION),
    "criteria": items("Criteria", CRITERION),
    "target": anything(
        "Judge or proxy", "Name of the judging model; for programs true, or a limit of calls.", picks="targets"
    ),
    "model": text("Model"),
    "max_steps": integer("Most steps", minimum=1, maximum=50, rules="bad_setting"),
    "temperature": number("Temperature", minimum=0, maximum=2, keep=True, rules="bad_setting"),
    "mode": choice("Order of calls", {name: name.replace("_", " ").capitalize() for name in TRAJECTORY_MODES}),
    "expected": items("Expected calls", _CALL),
    "minimums": mapping("Least calls by tool", integer("Calls", minimum=0)),
    "args_match": anything("How arguments compare", "exact, superset, subset, ignore, or a list of fields."),
    "fields": items("Fields", _FIELD),
    "aggregation": choice("Fields combine", {"weighted_average": "By weight", "all_or_nothing": "All or nothing"}),
    "threshold": number("Longest time (ms)", minimum=0, keep=True),
    "budget": number("Most cost (USD)", minimum=0, keep=True),
    "max_total": integer("Most tokens", minimum=0, keep=True),
    "max_input": integer("Most tokens in", minimum=0, keep=True),
    "max_output": integer("Most tokens out", minimum=0, keep=True),
    **_METRICS,
    "skill": text("Skill"),
    "should_trigger": yes_no("Should be used", keep=True),
    "preprocessors": CONVERTERS,
}
TAIL: Mapping[str, Schema] = {
    "weight": number("Weight", "Share in the mean; 1 where left out.", minimum=0, keep=True),
    "required": {
        "title": "Required",
        "description": "Below its gate the whole test scores 0.",
        "oneOf": [
            yes_no("Yes or no", keep=True),
            number("Least score (old form)", exclusiveMinimum=0, maximum=1, rule="required_range"),
        ],
        "x-null": False,
        "x-rules": {"type": "required_kind"},
    },
    "min_score": share("Least score", "The gate of a required assertion; the test's threshold where left out."),
    "negate": yes_no("Turned round", "Passes where it would fail.", keep=True),
    "config": free_map("Settings of your own"),
}


def _needing(kinds: Iterable[str], rule: str, **value: Any) -> Schema:
    """What assertions of some types must have as value."""
    spelled = "|".join(kind.replace("-", "[-_]") for kind in kinds)
    condition = {"properties": {"type": {"type": "string", "pattern": f"^(?:{spelled})$"}}, "required": ["type"]}
    then = {"properties": {"value": {**value, "x-rules": rule}}, "required": ["value"], "x-rules": {"required": rule}}
    return asking(condition, then)


_ASKED = [
    _needing(TEXT_KINDS, "needs_text", type="string"),
    _needing(LIST_KINDS, "needs_texts", type="array", minItems=1),
    # A template needs no type.
    asking(
        {"properties": {"include": {"type": "string"}}, "required": ["include"], "maxProperties": 1},
        otherwise={"required": ["type"], "x-rules": {"required": "no_type"}},
    ),
]


def _checking(schema: Schema, kinds: Mapping[str, Schema]) -> Schema:
    """An object that says which of the kinds of check it is, and opens what that kind needs."""
    modes = {mode: ["minimums" if mode == "any_order" else "expected"] for mode in TRAJECTORY_MODES}
    limits = {"token-usage": TOKEN_LIMITS, "execution-metrics": METRIC_LIMITS}
    return opening(offering(schema, "type", kinds), mode=modes, type=limits)


_MEMBER: Schema = _checking(
    block("Member", {**COMMON, **SETTINGS, **TAIL}, "A member needs a name.", required=["name", "type"]),
    {name: found for name, found in OFFERED.items() if name != "composite"},
)
ASSERTION: Schema = {
    "title": "Assertion",
    "oneOf": [
        long_text("Criterion", "A sentence that a judge checks.", pattern=r"\S", rule="blank"),
        _checking(
            block(
                "Assertion",
                {
                    **COMMON,
                    **SETTINGS,
                    **TAIL,
                    "include": text(
                        "Template",
                        "Name of a template in .agentv/templates, or a path.",
                        picks="scripts",
                        widget="suggestions",
                        examples=["./checks.yaml"],
                    ),
                    "assertions": items("Members", _MEMBER, declares="graders", named="name"),
                    "aggregator": _AGGREGATOR,
                },
                allOf=_ASKED,
            ),
            {"sentence": SENTENCE, **OFFERED, "include": TEMPLATE},
        ),
    ],
    "x-rules": {"type": "no_assertion"},
}


def assertions(about: str) -> Schema:
    """The schema of a list of assertions."""
    return items(
        "Assertions",
        ASSERTION,
        about,
        declares="graders",
        named="name",
        null=False,
        rules={"type": "no_assertions"},
    )
