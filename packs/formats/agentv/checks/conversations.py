"""Conversations (agentv C.7): S38 to S43, and the assertions of their turns."""

from collections.abc import Iterator

from packs.formats.agentv.checks.assertions import check_assertions
from packs.formats.agentv.checks.outside import reported_as_warnings
from packs.formats.agentv.context import Around
from packs.formats.agentv.talks import OPTIONS, usable_options
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule

TURNS_ALONE = Rule("agentv.E138", "Only a conversation has turns.", hint="Add `mode: conversation`.", rule="S38")
NO_TURNS = Rule(
    "agentv.E139", "A conversation needs a list of turns.", hint="Write what the user says in each turn.", rule="S39"
)
NO_EXPECTATION = Rule(
    "agentv.E140",
    "A conversation has no expected output of its own.",
    hint="Write an expected output for each turn.",
    rule="S40",
)
ONLY_THERE = Rule(
    "agentv.E141", "{name} is only for conversations.", hint="Add `mode: conversation`, or remove it.", rule="S41"
)
NO_TURN = Rule("agentv.E142", "A turn is a mapping.", hint="Write `input` and what is expected.", rule="S42")
SILENT_TURN = Rule("agentv.E143", "This turn has no user message.", hint="Write `input`.", rule="S43")
BAD_VALUE = Rule(
    "agentv.W304", "{name} must be {wanted}; this value is ignored.", hint="Fix it, or leave it out for the default."
)


def check_conversation(around: Around, test: Document) -> Iterator[Finding]:
    """The findings about mode and turns of a test."""
    turns = test.get("turns")
    if test.get("mode") != "conversation":
        if "turns" in test:
            yield TURNS_ALONE.at(("turns",))
        yield from (ONLY_THERE.at((name,), name=name) for name in OPTIONS if name in test)
        return
    if "expected_output" in test and isinstance(turns, list):
        yield NO_EXPECTATION.at(("expected_output",))
    if not isinstance(turns, list) or not turns:
        yield NO_TURNS.at(("mode",))
        return
    yield from _check_options(test)
    for index, turn in enumerate(turns):
        if isinstance(turn, dict):
            yield from _check_turn(around, turn, ("turns", index))
        else:
            yield NO_TURN.at(("turns", index))


def _check_turn(around: Around, turn: Document, path: Path) -> Iterator[Finding]:
    said = turn.get("input", "")
    if said == [] or (isinstance(said, str) and not said.strip()):
        yield SILENT_TURN.at((*path, "input"))
    elif not isinstance(said, str | list):
        # AgentV's checks pass over it.
        yield from reported_as_warnings([SILENT_TURN.at((*path, "input"))])
    yield from reported_as_warnings(check_assertions(around, turn.get("assertions", []), (*path, "assertions")))


def _check_options(test: Document) -> Iterator[Finding]:
    usable = usable_options(test)
    for name, (wanted, _) in OPTIONS.items():
        if test.get(name) is not None and name not in usable:
            yield BAD_VALUE.at((name,), name=name, wanted=wanted)
