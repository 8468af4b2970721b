"""Schemas of assertions (agentv F): what they share, and the settings of each type."""

from collections.abc import Mapping

from packs.formats.agentv.kinds import (
    AGGREGATORS,
    EXPLORATION_TOLERANCE,
    KINDS,
    METRIC_LIMITS,
    TOKEN_LIMITS,
    TRAJECTORY_MODES,
)
from packs.formats.schema.kinds import Purpose, kind, offering
from packs.formats.schema.pieces import (
    Schema,
    anything,
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

_JUDGING = ("target", "model", "max_steps", "temperature", "config", "preprocessors")
_CASELESS = "upper and lower case count the same"
OFFERED = {
    "contains": kind(
        "Contains a text",
        Purpose.TEXT,
        "The text occurs somewhere in the answer.",
        "`hub 7` occurs in `It is at hub 7.`",
        needs=["value"],
    ),
    "icontains": kind(
        "Contains a text, any case",
        Purpose.TEXT,
        f"The text occurs in the answer; {_CASELESS}.",
        "`york` occurs in `At York`",
        needs=["value"],
    ),
    "starts-with": kind(
        "Starts with",
        Purpose.TEXT,
        "The answer begins with the text.",
        "`Dear` begins `Dear customer`",
        needs=["value"],
    ),
    "ends-with": kind(
        "Ends with", Purpose.TEXT, "The answer ends with the text.", "`today.` ends `It comes today.`", needs=["value"]
    ),
    "equals": kind(
        "Is just this text",
        Purpose.TEXT,
        "The answer is the text, but for blanks around it.",
        "`42` is `42`",
        needs=["value"],
    ),
    "regex": kind(
        "Matches a pattern",
        Purpose.TEXT,
        "A pattern (ECMAScript) is found somewhere in the answer.",
        "`PX-[0-9]+` is found in `Parcel PX-41`",
        fields=["flags"],
        needs=["value"],
    ),
    "contains-any": kind(
        "Contains one of these texts",
        Purpose.TEXT,
        "At least one of several texts occurs in the answer.",
        "`York` or `Leeds`",
        needs=["value"],
        start={"value": []},
    ),
    "icontains-any": kind(
        "Contains one of these, any case",
        Purpose.TEXT,
        f"At least one of several texts occurs; {_CASELESS}.",
        "`york` or `leeds`",
        needs=["value"],
        start={"value": []},
    ),
    "contains-all": kind(
        "Contains all of these texts",
        Purpose.TEXT,
        "Every one of several texts occurs in the answer.",
        "`York` and `Tuesday`",
        needs=["value"],
        start={"value": []},
    ),
    "icontains-all": kind(
        "Contains all of these, any case",
        Purpose.TEXT,
        f"Every one of several texts occurs; {_CASELESS}.",
        "`york` and `tuesday`",
        needs=["value"],
        start={"value": []},
    ),
    "is-json": kind("Is JSON", Purpose.JSON, "The whole answer is JSON.", '`{"status": "delivered"}`'),
    "field-accuracy": kind(
        "Fields of structured data",
        Purpose.JSON,
        "Fields of the answer's JSON are those of the expected output: exactly, as numbers or as days.",
        "`invoice.total` within `0.01`",
        fields=["aggregation"],
        needs=["fields"],
        start={"fields": []},
    ),
    "code-grader": kind(
        "A program grades",
        Purpose.COMMAND,
        "A program of the pack reads the trial and prints a score.",
        "`python ./graders/check.py`",
        fields=["cwd", "target", "config", "preprocessors"],
        needs=["command"],
    ),
    "tool-trajectory": kind(
        "Tools that were called",
        Purpose.TOOL,
        "Tools were called: often enough, in an order, or with arguments.",
        "`look_up`, then `refund`",
        fields=["expected", "minimums", "args_match"],
        needs=["mode"],
    ),
    "skill-trigger": kind(
        "A skill was used",
        Purpose.TOOL,
        "The agent used a skill, or did not.",
        "`refunds` was used",
        fields=["should_trigger"],
        needs=["skill"],
    ),
    "llm-grader": kind(
        "A model grades",
        Purpose.JUDGE,
        "A model scores the answer by your instruction.",
        "`Score how politely the answer refuses.`",
        fields=["rubrics", *_JUDGING],
        needs=["prompt"],
    ),
    "rubrics": kind(
        "A model checks a list of criteria",
        Purpose.JUDGE,
        "A model checks several criteria one by one.",
        "`Names the hub`; `Names the day`",
        fields=["target", "preprocessors"],
        needs=["criteria"],
        start={"criteria": []},
    ),
    "latency": kind(
        "Time to answer", Purpose.MEASURE, "The answer took no longer than a limit.", "`5000` ms", needs=["threshold"]
    ),
    "cost": kind(
        "Cost of the answer", Purpose.MEASURE, "The answer cost no more than a limit.", "`0.05` USD", needs=["budget"]
    ),
    "token-usage": kind(
        "Tokens used",
        Purpose.MEASURE,
        "The answer took no more tokens than one or more limits.",
        "`2000` in all",
        needs=TOKEN_LIMITS[:1],
        fields=TOKEN_LIMITS,
    ),
    "execution-metrics": kind(
        "Calls, tokens, cost and time",
        Purpose.MEASURE,
        "The trial kept within several limits at once.",
        "`10` tool calls and `60000` ms",
        fields=(*METRIC_LIMITS, EXPLORATION_TOLERANCE),
        needs=METRIC_LIMITS[:1],
    ),
    "composite": kind(
        "Several together",
        Purpose.SEVERAL,
        "Several checks make one, by weight, by a share that must pass, or by a program.",
        "2 of 3 must pass",
        needs=["aggregator", "assertions"],
        start={"aggregator": {"type": AGGREGATORS[0]}, "assertions": []},
    ),
}
_SENTENCE = kind(
    "A criterion in a sentence",
    Purpose.JUDGE,
    "A model checks a sentence; all sentences of a list are checked together.",
    "`The answer names the hub.`",
    start="",
)
_TEMPLATE = kind(
    "A template of checks",
    Purpose.SEVERAL,
    "The checks of a file stand in for this one.",
    "`./checks.yaml`",
    fields=["include"],
    start={"type": None, "include": ""},
)
_TARGET = text("Judge", "Name of the model that judges; the target's own grader where left out.")
_COMMAND = texts(
    "Command", "Program and arguments; runs in the suite's folder.", examples=[["python", "./graders/check.py"]]
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
                examples=[["python", "./scripts/xlsx-to-csv.py"]],
            ),
        },
        required=["type", "command"],
    ),
    "Programs that make text of files which graders show; those of the suite hold for every grader.",
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
        long_text("Text or file://path"),
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
_FIELD = block(
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
_AGGREGATOR = block(
    "Aggregator",
    {
        "type": choice("How members combine", {name: name.replace("_", " ").capitalize() for name in AGGREGATORS}),
        "weights": mapping("Weights by name", number("Weight", minimum=0)),
        "threshold": share("Share that must pass", keep=True),
        "path": text("Program"),
        "cwd": text("Folder"),
        "prompt": long_text("Prompt", "With {{EVALUATOR_RESULTS_JSON}}."),
        "target": _TARGET,
    },
    required=["type"],
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
    "type": text("Type", "What is judged, and how.", examples=list(KINDS), widget="suggestions", minLength=1),
}
SETTINGS: Mapping[str, Schema] = {
    "value": _VALUE,
    "flags": text("Flags", "Of the pattern, as in JavaScript.", examples=["i"]),
    "command": {"title": "Command", "oneOf": [_COMMAND, text("Text, read by a shell")]},
    "cwd": text("Folder", "Where the program runs; the suite's folder where left out."),
    "prompt": _PROMPT,
    "rubrics": items("Checklist", CRITERION),
    "criteria": items("Criteria", CRITERION),
    "target": anything("Judge or proxy", "Name of the judging model; for programs true, or a limit of calls."),
    "model": text("Model"),
    "max_steps": integer("Most steps", minimum=1, maximum=50),
    "temperature": number("Temperature", minimum=0, maximum=2, keep=True),
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
        "oneOf": [yes_no("Yes or no", keep=True), share("Least score (old form)")],
    },
    "min_score": share("Least score", "The gate of a required assertion; the test's threshold where left out."),
    "negate": yes_no("Turned round", "Passes where it would fail.", keep=True),
    "config": free_map("Settings of your own"),
}
_MEMBER: Schema = offering(
    block("Member", {**COMMON, **SETTINGS, **TAIL}, "A member needs a name.", required=["name", "type"]),
    "type",
    {name: found for name, found in OFFERED.items() if name != "composite"},
)
ASSERTION: Schema = {
    "title": "Assertion",
    "oneOf": [
        long_text("Criterion", "A sentence that a judge checks."),
        offering(
            block(
                "Assertion",
                {
                    **COMMON,
                    **SETTINGS,
                    **TAIL,
                    "include": text(
                        "Template", "Name of a template in .agentv/templates, or a path.", examples=["./checks.yaml"]
                    ),
                    "assertions": items("Members", _MEMBER),
                    "aggregator": _AGGREGATOR,
                },
            ),
            "type",
            {"sentence": _SENTENCE, **OFFERED, "include": _TEMPLATE},
        ),
    ],
}


def assertions(about: str) -> Schema:
    """The schema of a list of assertions."""
    return items("Assertions", ASSERTION, about)
