"""The two rules about graders that several modules of checks ask."""

from packs.formats.findings import Rule

EMPTY_CHECK = Rule(
    "task_suite.E302",
    "The grader has nothing to check.",
    hint="Fill in {known}.",
    rule="TS-302",
)
WRONG_SHAPE = Rule("task_suite.E303", "{name} must be {expected}.", hint="Give {expected} here.", rule="TS-303")
