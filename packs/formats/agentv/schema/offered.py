"""The kinds of assertion as the gallery of checks offers them (agentv F): what each is for, and the fields it needs."""

from packs.formats.agentv.kinds import (
    AGGREGATORS,
    EXPLORATION_TOLERANCE,
    LIST_KINDS,
    METRIC_LIMITS,
    TOKEN_LIMITS,
    TRAJECTORY_MODES,
)
from packs.formats.schema.kinds import Purpose, kind
from packs.formats.schema.pieces import Schema

_JUDGING = ("target", "model", "max_steps", "temperature", "config", "preprocessors")
_CASELESS = "upper and lower case count the same"
# What the types say that look for a text or for several: each with a name, a sentence and an example.
_LOOKING = {
    "contains": ("Contains a text", "The text occurs somewhere in the answer.", "`hub 7` occurs in `It is at hub 7.`"),
    "icontains": (
        "Contains a text, any case",
        f"The text occurs in the answer; {_CASELESS}.",
        "`york` occurs in `At York`",
    ),
    "starts-with": ("Starts with", "The answer begins with the text.", "`Dear` begins `Dear customer`"),
    "ends-with": ("Ends with", "The answer ends with the text.", "`today.` ends `It comes today.`"),
    "equals": ("Is just this text", "The answer is the text, but for blanks around it.", "`42` is `42`"),
    "regex": (
        "Matches a pattern",
        "A pattern (ECMAScript) is found somewhere in the answer.",
        "`PX-[0-9]+` is found in `Parcel PX-41`",
    ),
    "contains-any": (
        "Contains one of these texts",
        "At least one of several texts occurs in the answer.",
        "`York` or `Leeds`",
    ),
    "icontains-any": (
        "Contains one of these, any case",
        f"At least one of several texts occurs; {_CASELESS}.",
        "`york` or `leeds`",
    ),
    "contains-all": (
        "Contains all of these texts",
        "Every one of several texts occurs in the answer.",
        "`York` and `Tuesday`",
    ),
    "icontains-all": (
        "Contains all of these, any case",
        f"Every one of several texts occurs; {_CASELESS}.",
        "`york` and `tuesday`",
    ),
}


def _looking(name: str) -> Schema:
    fields = ["flags"] if name == "regex" else []
    start: Schema | None = {"value": []} if name in LIST_KINDS else None
    return kind(*_LOOKING[name][:1], Purpose.TEXT, *_LOOKING[name][1:], fields=fields, needs=["value"], start=start)


OFFERED = {
    **{name: _looking(name) for name in _LOOKING},
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
        start={"mode": TRAJECTORY_MODES[0]},
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
SENTENCE = kind(
    "A criterion in a sentence",
    Purpose.JUDGE,
    "A model checks a sentence; all sentences of a list are checked together.",
    "`The answer names the hub.`",
    start="",
)
TEMPLATE = kind(
    "A template of checks",
    Purpose.SEVERAL,
    "The checks of a file stand in for this one.",
    "`./checks.yaml`",
    fields=["include"],
    start={"type": None, "include": ""},
)
