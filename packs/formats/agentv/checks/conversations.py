"""Conversations (agentv C.7): the assertions of their turns."""

from collections.abc import Iterator

from packs.formats.agentv.checks.assertions import check_assertions
from packs.formats.agentv.context import Around
from packs.formats.document import Document
from packs.formats.findings import Finding
from packs.formats.values import listing, mapping


def check_conversation(around: Around, test: Document) -> Iterator[Finding]:
    """The findings about the turns of a test."""
    turns = listing(test.get("turns"))
    if test.get("mode") != "conversation" or not turns:
        return
    for index, turn in enumerate(map(mapping, turns)):
        place = ("turns", index, "assertions")
        yield from check_assertions(around, turn.get("assertions", []), place)
