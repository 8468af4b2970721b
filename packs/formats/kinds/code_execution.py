"""code_execution: the result of a test command, run in the sandbox after the agent, is good enough."""

from collections.abc import Iterator

from packs.formats.findings import Finding, Path, Rule
from packs.formats.kinds.contract import Expected, Kind, Settings, Target, settings
from packs.formats.kinds.settings import CHOICE_UNKNOWN
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import choice, integer, share, text

SCORINGS = {"fraction_passed": "Share of passed tests", "all_or_nothing": "All tests must pass"}

COMMAND_MISSING = Rule(
    "challenge_pack.E561", "The code_execution has no test command.", "Write the command that runs the tests.", "F11"
)
PASS_AT_K = Rule(
    "challenge_pack.E562",
    "`pass_at_k` needs several samples of one answer, which a validator does not have.",
    "Use fraction_passed or all_or_nothing, and launch several trials.",
    "F11",
)


def check(stated: Settings, path: Path) -> Iterator[Finding]:
    """A command, and a scoring that needs no more than one answer."""
    if not stated.get("test_command", "").strip():
        yield COMMAND_MISSING.at((*path, "test_command"))
    scoring = stated.get("scoring")
    if scoring == "pass_at_k":
        yield PASS_AT_K.at((*path, "scoring"))
    elif scoring is not None and scoring not in SCORINGS:
        yield CHOICE_UNKNOWN.at((*path, "scoring"), key="scoring", value=scoring, allowed=", ".join(SCORINGS))


KIND = Kind(
    "Tests run on a file",
    Purpose.COMMAND,
    "Tests run on what the agent left, and enough of them pass.",
    "`pytest -q`",
    settings(
        {
            "test_command": text(
                "Test command",
                "Run by the shell after the agent ended; `{{name}}` takes a value of the case.",
                minLength=1,
                widget="textarea",
            ),
            "timeout_ms": integer("Time limit (ms)", exclusiveMinimum=0, default=30000, widget="milliseconds"),
            "scoring": choice("Scoring", SCORINGS, default="fraction_passed"),
            "pass_threshold": share("Pass threshold", default=1),
        },
        required=["test_command"],
    ),
    rule="F11",
    check=check,
    own=frozenset({"scoring"}),
    target=Target.FILE,
    expected=Expected.IGNORED,
    evidence="custom",
)
