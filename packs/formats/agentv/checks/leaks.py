"""An expected output that the agent can read in its own input."""

from collections.abc import Iterator
from typing import Any

from packs.formats.agentv.loaded import Loaded
from packs.formats.findings import Finding, Rule
from packs.formats.leaks import PROMPT, leaks_in
from packs.formats.task import Answer
from packs.formats.values import listing, mapping

ANSWER_SHOWN = Rule(
    "agentv.N511",
    "The expected output {answer} stands in what the agent sees.",
    hint="Fine where the agent is to find it there; otherwise the test gives its answer away.",
)
LEFT_OUT = 60


def check_leaks(loaded: Loaded) -> Iterator[Finding]:
    """The reference answer of a test, where messages of test or suite hold it; files show it in the preview only."""
    if not loaded.reference:
        return
    answer, shown = Answer(("expected_output",), loaded.reference), [_told(message) for message in loaded.input]
    for leak in leaks_in([answer], lambda _: [(PROMPT, shown)]):
        yield ANSWER_SHOWN.at(leak.answer.path, answer=repr(leak.answer.text[:LEFT_OUT]))


def _told(message: dict[str, Any]) -> Any:
    """What a message says besides its files: their texts are known only where the bytes are at hand."""
    content = message.get("content")
    if not isinstance(content, list):
        return content
    return [block for block in listing(content) if mapping(block).get("type") not in ("file", "image")]
