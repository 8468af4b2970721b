"""An expected output that the agent can read in its own input, and files of graders that lie in its workspace."""

from collections.abc import Iterator
from typing import Any

from packs.formats.agentv.context import Around
from packs.formats.agentv.layout import inside
from packs.formats.agentv.loaded import Loaded
from packs.formats.agentv.places import arguments_of, template_prefix
from packs.formats.answers import Answer
from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.leaks import PROMPT, leaks_in
from packs.formats.values import listing, mapping

ANSWER_SHOWN = Rule(
    "agentv.N511",
    "The expected output {answer} stands in what the agent sees ({form}).",
    hint="This is fine if the agent is meant to find it there; otherwise the test gives its answer away.",
)
GRADER_SHOWN = Rule(
    "agentv.N512",
    "Agents can read {name}, which a grader uses: the template puts it into their workspace.",
    hint="Move it out of the template's folder, unless agents are meant to see it.",
)
LEFT_OUT = 60
SCHEME = "file://"


def check_leaks(loaded: Loaded) -> Iterator[Finding]:
    """The reference answer of a test, where messages of test or suite hold it; files show it in the preview only."""
    if not loaded.reference:
        return
    answer, shown = Answer(("expected_output",), loaded.reference), [_described(message) for message in loaded.input]
    for leak in leaks_in([answer], lambda _: [(PROMPT, shown)]):
        yield ANSWER_SHOWN.at(leak.answer.path, answer=repr(leak.answer.text[:LEFT_OUT]), form=leak.form)


def _described(message: dict[str, Any]) -> Any:
    """What a message says besides its files: their texts are known only where the bytes are at hand."""
    content = message.get("content")
    if not isinstance(content, list):
        return content
    return [block for block in listing(content) if mapping(block).get("type") not in ("file", "image")]


def check_template(around: Around, loaded: Loaded) -> Iterator[Finding]:
    """Programs and prompts of graders below the template, all of which is copied for the agent (agentv D.1)."""
    prefix = template_prefix(loaded.workspace or {})
    named = (name for assertion in loaded.assertions for name in _files_of(around, assertion))
    for name in dict.fromkeys(named) if prefix is not None else ():
        if name.startswith(prefix or ""):
            yield GRADER_SHOWN.at(("assertions",), name=name)


def _files_of(around: Around, assertion: Document) -> Iterator[str]:
    """The files of the pack that an assertion names, with those of its members."""
    stated = assertion.get("cwd")
    folder = (inside(around.folder, stated) if isinstance(stated, str) else None) or around.folder
    prompt = assertion.get("prompt")
    named = [inside(folder, part) for part in arguments_of(assertion.get("command", assertion.get("script")))]
    named += [inside(around.folder, part) for part in arguments_of(mapping(prompt).get("command"))]
    if isinstance(prompt, str) and prompt.startswith(SCHEME):
        named.append(around.find(prompt.removeprefix(SCHEME)))
    yield from (name for name in named if name and around.exists(name))
    for member in listing(assertion.get("assertions")):
        yield from _files_of(around, mapping(member))
