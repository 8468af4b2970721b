"""Structure: what breaks the published schema of a task (task-suite 2.2, TS-101 to TS-107), and what nobody could read
of a task or a configuration."""

from packs.formats.document import NodeKind
from packs.formats.findings import Rule
from packs.formats.structure import Structure
from packs.formats.task_suite.schema import SCHEMA
from packs.formats.task_suite.schema.interchange import INTERCHANGE

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

INTERCHANGEABLE = Structure(
    INTERCHANGE,
    {
        "type": WRONG_TYPE,
        "enum": NOT_LISTED,
        "required": MISSING,
        "additionalProperties": CLOSED,
        "limit": TOO_SMALL,
        "minItems": EMPTY_LIST,
        "no_type": NO_TYPE,
    },
)
# What the schemas of the forms ask for beyond what any reader may rely on.
_BEYOND = {"type": UNREADABLE, "enum": UNREADABLE, "limit": UNREADABLE, "additionalProperties": UNREAD_KEY}
TASK = Structure(SCHEMA[NodeKind.CASE], _BEYOND)
CONFIGURATION = Structure(SCHEMA[NodeKind.PACK], _BEYOND)
