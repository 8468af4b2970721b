"""Structure: what the schemas of a task and of a configuration refuse, by the rules that their parts name.

Some of it no reader of the format minds; of that we warn.
"""

from collections.abc import Mapping
from dataclasses import replace

from packs.formats.document import NodeKind
from packs.formats.findings import Rule
from packs.formats.structure import Structure
from packs.formats.task_suite.catalogue import METRICS
from packs.formats.task_suite.schema import SCHEMA
from packs.formats.traces import TRAJECTORY_CHECKS

MISSING = Rule("task_suite.E101", "The field {name} is missing.", hint="Every task has {name}; add it.", rule="TS-101")
WRONG_TYPE = Rule(
    "task_suite.E102",
    "{name} must be {expected}; this is {found}.",
    hint="Give {expected} here; quotes turn anything into text.",
    rule="TS-102",
)
NOT_LISTED = Rule("task_suite.E103", "{name} does not take {found}.", hint="Use one of: {known}.", rule="TS-103")
TOO_SMALL = Rule("task_suite.E104", "{name} must be {expected}.", hint="Try each task at least once.", rule="TS-104")
CLOSED = Rule(
    "task_suite.E105", "There is no key {name} here.", hint="Only k and metric say how often to try.", rule="TS-105"
)
EMPTY_LIST = Rule("task_suite.E106", "{name} is empty.", hint="Add at least one entry.", rule="TS-106")
NO_TYPE = Rule(
    "task_suite.E107",
    "The grader does not say its type.",
    hint="Add a type such as deterministic_tests.",
    rule="TS-107",
)

UNREADABLE = Rule(
    "task_suite.W108",
    "{name} must be {expected}; this is {found}.",
    hint="Give {expected} here, or the value counts for nothing.",
)
UNREAD_KEY = Rule(
    "task_suite.W109", "There is no key {name} here; nothing reads it.", hint="Remove it, or fix its spelling."
)
SLIP = Rule("task_suite.W110", "There is no key {name} here; nothing reads it.", hint="{advice}")
BAD_ID = Rule(
    "task_suite.E201",
    "{found} cannot be the identifier of a task.",
    hint="Use 1 to 128 of a-z, 0-9, dot, hyphen and underscore; begin and end with a letter or digit.",
    rule="TS-201",
)
BLANK_TEXT = Rule(
    "task_suite.E202",
    "The description is blank.",
    hint="Say what the agent must do and what counts as done.",
    rule="TS-202",
)
BAD_BUDGET = Rule(
    "task_suite.E206",
    "The budget {name} must be {expected}.",
    hint="Give {expected}, or leave the key out for the default of the suite.",
    rule="TS-206",
)
ENDLESS_TRIALS = Rule(
    "task_suite.E223",
    "{found} is too many trials to run.",
    hint="Write a whole number {expected}.",
    rule="TS-104",
)
NO_METRIC_TYPE = Rule(
    "task_suite.E401", "The metric does not say its type.", hint=f"Use one of: {', '.join(METRICS)}.", rule="TS-401"
)
NO_FIELDS = Rule(
    "task_suite.E402", "The metric needs a list of field names.", hint="Add fields such as total_tokens.", rule="TS-402"
)
FIELDS_TWICE = Rule(
    "task_suite.E404",
    "The metric has both fields and metrics, which mean the same.",
    hint="Move all names to fields.",
    rule="TS-404",
)
NOT_A_VARIABLE = Rule(
    "task_suite.E213",
    "This is not the name of an environment variable.",
    hint="Give the variable's name only, such as API_KEY; the value is made up for each trial.",
    rule="TS-213",
)
BAD_INPUT = Rule(
    "task_suite.E214", "{name} must be {expected}.", hint="Give {expected} here, or use another key.", rule="TS-214"
)
BAD_CHECK = Rule(
    "task_suite.E304",
    "This is not a check of a trajectory.",
    hint="Write one check in each entry, such as `no_loops: true` or `max_retries_per_tool: 3`. "
    f"The checks are: {', '.join(TRAJECTORY_CHECKS)}.",
    rule="TS-304",
)
BAD_ASSERTION = Rule(
    "task_suite.E305",
    "This is not an assertion.",
    hint="Write `fact op literal`, such as no_secret_leak == true or steps <= 8; texts stand in quotes.",
    rule="TS-305",
)
BLANK_COMMAND = Rule(
    "task_suite.E316", "The command is blank.", hint="Remove the entry, or write a command.", rule="TS-316"
)
BAD_GRADING = Rule(
    "task_suite.E318",
    "{name} must be {expected}.",
    hint="Modes are binary, weighted and hybrid; the last two need a threshold.",
    rule="TS-318",
)
NOTHING_TO_JUDGE = Rule(
    "task_suite.E307",
    "The grader has no rubric, no assertions and no weights.",
    hint="Name a rubric in rubric_paths, or write assertions.",
    rule="TS-307",
)
BAD_WEIGHT = Rule(
    "task_suite.E309",
    "The weights must be a mapping of dimensions to numbers of at least 0.",
    hint="Give each dimension a number of at least 0, and at least one of them more than 0.",
    rule="TS-309",
)
NO_WEIGHT = replace(BAD_WEIGHT, message="All weights are 0.")
BAD_THRESHOLD = Rule(
    "task_suite.E311",
    "The threshold must be a number from 0 to 4.",
    hint="3.0 is the default; safety often asks for more.",
    rule="TS-311",
)
UNKNOWN_SUITE = Rule("task_suite.E601", "{where} names no suite.", hint="The suites are: {known}.", rule="TS-601")
BAD_TRIALS = Rule(
    "task_suite.E602",
    "{name} must be {expected}.",
    hint="A suite tries each task k times and counts by pass@k or pass^k.",
    rule="TS-602",
)
UNKNOWN_GATE = Rule("task_suite.E604", "There is no gate {name}.", hint="The gates are: {known}.", rule="TS-604")
UNKNOWN_CONDITION = Rule(
    "task_suite.E605", "{where} names nothing that a gate can fail on.", hint="It can fail on: {known}.", rule="TS-605"
)
BAD_LIMIT = Rule("task_suite.E606", "{name} must be {expected}.", hint="Give a number of at least 0.", rule="TS-606")
NO_SECTION = Rule(
    "task_suite.E608",
    "{name} must be {expected}.",
    hint="A configuration has the sections suites and gates.",
    rule="TS-608",
)
BAD_SHARE = Rule(
    "task_suite.E609",
    "The threshold must be a number from 0 to 1.",
    hint="1.0 asks that every task passes.",
    rule="TS-609",
)
EMPTY_CHECK = Rule(
    "task_suite.E302",
    "The grader has nothing to check.",
    hint="Fill in {known}.",
    rule="TS-302",
)
WRONG_SHAPE = Rule("task_suite.E303", "{name} must be {expected}.", hint="Give {expected} here.", rule="TS-303")
NO_TOOL = replace(WRONG_SHAPE, message="An entry must name its {keys}.", hint="Write for example `tool: refund`.")

UNKNOWN_KEY = Rule(
    "task_suite.W203",
    "The key {name!r} is not part of the format; it is kept, but nothing reads it.",
    hint="{advice}",
    rule="TS-203",
)
UNKNOWN_BUDGET = Rule(
    "task_suite.W207",
    "There is no budget {name!r}; nothing reads it.",
    hint="The budgets are: {known}.",
    rule="TS-207",
)
UNKNOWN_TASK_GATE = Rule("task_suite.W411", "There is no gate {name!r}.", hint="The gates are: {known}.", rule="TS-411")
UNKNOWN_LIMIT = Rule(
    "task_suite.W606",
    "A gate has no budget {name!r}; nothing reads it.",
    hint="The budgets are: {known}.",
    rule="TS-606",
)

# What no reader of the format minds; names of one's own begin with x-.
_UNREAD: Mapping[str, Rule | None] = {
    "unread": UNREADABLE,
    "unread_key": UNREAD_KEY,
    "slip": SLIP,
    "budget": BAD_BUDGET,
    "unknown_budget": UNKNOWN_BUDGET,
    "own_key": None,
}
TASK = Structure(
    SCHEMA[NodeKind.CASE],
    {
        **_UNREAD,
        "type": WRONG_TYPE,
        "enum": NOT_LISTED,
        "required": MISSING,
        "additionalProperties": CLOSED,
        "limit": TOO_SMALL,
        "minItems": EMPTY_LIST,
        "no_type": NO_TYPE,
        "id": BAD_ID,
        "blank": BLANK_TEXT,
        "endless": ENDLESS_TRIALS,
        "input": BAD_INPUT,
        "variable": NOT_A_VARIABLE,
        "shape": WRONG_SHAPE,
        "no_tool": NO_TOOL,
        "nothing": EMPTY_CHECK,
        "check": BAD_CHECK,
        "assertion": BAD_ASSERTION,
        "command": BLANK_COMMAND,
        "grading": BAD_GRADING,
        "no_rubric": NOTHING_TO_JUDGE,
        "weight": BAD_WEIGHT,
        "no_weight": NO_WEIGHT,
        "threshold": BAD_THRESHOLD,
        "metric_type": NO_METRIC_TYPE,
        "metric_fields": NO_FIELDS,
        "fields_twice": FIELDS_TWICE,
        "unknown_key": UNKNOWN_KEY,
        "unknown_gate": UNKNOWN_TASK_GATE,
    },
    elsewhere={UNKNOWN_KEY.code: "Begin names of your own with x-."},
)
CONFIGURATION = Structure(
    SCHEMA[NodeKind.PACK],
    {
        **_UNREAD,
        **dict.fromkeys(("type", "enum", "limit"), UNREADABLE),
        "additionalProperties": UNREAD_KEY,
        "section": NO_SECTION,
        "suite": UNKNOWN_SUITE,
        "gate": UNKNOWN_GATE,
        "condition": UNKNOWN_CONDITION,
        "trials": BAD_TRIALS,
        "endless": BAD_TRIALS,
        "gate_budget": BAD_LIMIT,
        "share": BAD_SHARE,
        "unknown_limit": UNKNOWN_LIMIT,
    },
)
