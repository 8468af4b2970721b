"""What AgentV says only when it loads or runs a suite, or not at all (agentv I.2).

These are warnings while a pack is written, since AgentV's own checks accept such files; publishing refuses them.
"""

from packs.formats.findings import Rule

_SILENT = "AgentV's checks do not report it."

BAD_INFORMATION = Rule(
    "agentv.W202",
    "The field {name} keeps the suite from being loaded: it must be {expected}.",
    hint="Fix it; " + _SILENT,
    rule="L02",
)
NO_TESTS = Rule("agentv.W203", "The suite has no tests.", hint="Add a test below `tests:`.", rule="L03")
NO_FILE = Rule(
    "agentv.W204",
    "The tests that {name} names cannot be loaded: {reason}.",
    hint="Name a file or folder that is there; " + _SILENT,
    rule="L04",
)
LEFT_OUT = Rule("agentv.W206", "This test is left out when the suite is loaded: {reason}.", hint="{advice}", rule="L06")
FATAL = Rule(
    "agentv.W207",
    "This test is left out because of an assertion: {reason}.",
    hint="Fix the assertion; " + _SILENT,
    rule="L07",
)
NO_PROGRAM = Rule(
    "agentv.E218",
    "There is no file {name} for the program that prints the prompt, so this test is left out.",
    hint="Add the file, or fix the path: it is looked for beside the suite and in every folder above.",
    rule="L07",
)
DROPPED = Rule(
    "agentv.W208",
    "This assertion is dropped when the suite is loaded: {reason}.",
    hint="Fix it, or the test passes on fewer assertions than are written.",
    rule="L08",
)
REFUSED_WORKSPACE = Rule(
    "agentv.W209",
    "The workspace keeps the suite from being loaded: {reason}.",
    hint="Fix it; " + _SILENT,
    rule="L09",
)
OLD_BUDGET = Rule(
    "agentv.W210",
    "total_budget_usd keeps the suite from being loaded.",
    hint="Write budget_usd in its place; " + _SILENT,
    rule="L10",
)
IGNORED = Rule(
    "agentv.W211",
    "The value of {name} is ignored: it must be {expected}.",
    hint="Fix it; " + _SILENT,
    rule="L11",
)
MISSING_FILE = Rule(
    "agentv.W212",
    "There is no file {name}, so its block is dropped.",
    hint="Add the file, or fix the path: it is looked for beside the suite and in every folder above.",
    rule="L12",
)
NOT_RUNNABLE = Rule(
    "agentv.W214",
    "No test of the suite can run: {reason}.",
    hint="Fix it; AgentV reports it only when the suite runs.",
    rule="R01",
)

SELF = Rule(
    "agentv.W215",
    "No test of the suite can run: this one depends on itself.",
    hint="Remove its own id.",
    rule="R01",
)
DUPLICATE = Rule(
    "agentv.W216",
    "No test of the suite can run: another one has the id {key}.",
    hint="Rename one of the two; AgentV reports it only when the suite runs.",
    rule="R01",
)
EMPTY = Rule("agentv.N217", "{name} holds no tests.", hint="Add a test.", rule="L04")

# What publishing refuses (agentv K): a version must run as it is written.
REFUSED_ON_PUBLISHING = frozenset({"L02", "L03", "L04", "L06", "L07", "L08", "L09", "L10", "R01"})
