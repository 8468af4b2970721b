"""Conversations (agentv C.7): their options, and the assertions of their turns."""

from collections.abc import Iterator

from packs.formats.agentv.checks.assertions import check_assertions
from packs.formats.agentv.context import Around
from packs.formats.agentv.talks import OPTIONS, usable_options
from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.values import listing, mapping

BAD_VALUE = Rule(
    "agentv.W304", "{name} must be {wanted}; this value is ignored.", hint="Fix it, or leave it out for the default."
)


def check_conversation(around: Around, test: Document) -> Iterator[Finding]:
    """The findings about the turns of a test and the options of its conversation."""
    turns = listing(test.get("turns"))
    if test.get("mode") != "conversation" or not turns:
        return
    yield from _check_options(test)
    for index, turn in enumerate(map(mapping, turns)):
        place = ("turns", index, "assertions")
        yield from check_assertions(around, turn.get("assertions", []), place)


def _check_options(test: Document) -> Iterator[Finding]:
    usable = usable_options(test)
    for name, (wanted, _) in OPTIONS.items():
        if test.get(name) is not None and name not in usable:
            yield BAD_VALUE.at((name,), name=name, wanted=wanted)
