"""Lists of assertions (agentv F): S28 to S37, and what AgentV takes without a word although it is hardly meant."""

from collections.abc import Iterator
from typing import Any

from packs.formats.agentv.assertions import is_include, is_own_type
from packs.formats.agentv.checks.converters import check_converters, check_use
from packs.formats.agentv.context import Around
from packs.formats.agentv.kinds import KINDS, LIST_KINDS, REMOVED_KINDS, TEXT_KINDS, kind_of
from packs.formats.agentv.layout import SCHEME
from packs.formats.agentv.reading import is_text
from packs.formats.document import Document
from packs.formats.ecmascript import pattern_trouble
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import is_number

NO_LIST = Rule("agentv.W128", "The assertions must be a list.", hint="Start each entry with a dash.", rule="S28")
BLANK = Rule("agentv.W129", "The assertion is blank.", hint="Say what must hold, or remove it.", rule="S29")
NO_ASSERTION = Rule(
    "agentv.W130",
    "An assertion must be text or a mapping.",
    hint="Put it in quotes to make it a criterion.",
    rule="S30",
)
NO_TYPE = Rule(
    "agentv.W131", "The assertion does not say its type.", hint="Add a type, such as `contains`.", rule="S31"
)
INCLUDE = Rule(
    "agentv.N131",
    "AgentV's checks report a missing type here, although an include needs none.",
    hint="You need not do anything.",
    rule="S31",
)
UNKNOWN_TYPE = Rule(
    "agentv.W132",
    "There is no assertion type {name}.",
    hint="{advice}",
    rule="S32",
)
NO_TEXT = Rule("agentv.W133", "{kind} needs text as its value.", hint="Put the value in quotes.", rule="S33")
NO_TEXTS = Rule(
    "agentv.W134", "{kind} needs a list of texts as its value.", hint="Start each entry with a dash.", rule="S34"
)
BAD_PATTERN = Rule(
    "agentv.W135", "The pattern cannot be used: {reason}.", hint="Patterns are those of JavaScript.", rule="S35"
)
REQUIRED_RANGE = Rule(
    "agentv.W136", "`required` must be a number above 0 and at most 1.", hint="Write true or false.", rule="S36"
)
REQUIRED_KIND = Rule("agentv.W137", "`required` must be true or false.", hint="Write true or false.", rule="S37")
BARE_PROMPT = Rule(
    "agentv.W303",
    "The prompt is the text {name}, not the file of that name.",
    hint="Write file://{plain} to use what the file says.",
)
REPLACED = {"code-judge": "code-grader", "llm-judge": "llm-grader"}


def check_assertions(around: Around, stated: Any, path: Path) -> Iterator[Finding]:
    """The findings about a list of assertions; paths begin with `path`."""
    if not isinstance(stated, list):
        yield NO_LIST.at(path)
        return
    for index, item in enumerate(stated):
        place = (*path, index)
        if isinstance(item, str):
            if not item.strip():
                yield BLANK.at(place)
        elif not isinstance(item, dict):
            yield NO_ASSERTION.at(place)
        else:
            yield from _check_one(around, item, place)


def _check_one(around: Around, item: Document, path: Path) -> Iterator[Finding]:
    kind = kind_of(item)
    if is_include(item):
        yield INCLUDE.at((*path, "type"))
        return
    if not isinstance(item.get("type"), str):
        yield NO_TYPE.at((*path, "type"))
        return
    if kind not in KINDS and not is_own_type(around, kind):
        yield UNKNOWN_TYPE.at((*path, "type"), name=repr(kind)[:80], advice=_advice(kind))
    yield from _check_value(kind, item, path)
    yield from _check_required(item, path)
    yield from _check_prompt(around, item, path)
    yield from check_converters(around, item, path)
    yield from check_use(kind, item, path)
    if kind == "composite":
        yield from check_assertions(around, item.get("assertions", []), (*path, "assertions"))


def _advice(kind: str) -> str:
    if kind in REMOVED_KINDS:
        return f"The type was removed; use {REPLACED[kind]}."
    return f"The types are {', '.join(KINDS)}; or add a script to .agentv/assertions."


def _check_value(kind: str, item: Document, path: Path) -> Iterator[Finding]:
    value = item.get("value")
    place = (*path, "value")
    if kind in TEXT_KINDS and not isinstance(value, str):
        yield NO_TEXT.at(place, kind=kind)
    elif kind in LIST_KINDS and not (isinstance(value, list) and value):
        yield NO_TEXTS.at(place, kind=kind)
    elif kind == "regex" and (reason := pattern_trouble(str(value))):
        yield BAD_PATTERN.at(place, reason=reason)


def _check_required(item: Document, path: Path) -> Iterator[Finding]:
    required = item.get("required", False)
    if isinstance(required, bool):
        return
    if not is_number(required):
        yield REQUIRED_KIND.at((*path, "required"))
    elif not 0 < required <= 1:
        yield REQUIRED_RANGE.at((*path, "required"))


def _check_prompt(around: Around, item: Document, path: Path) -> Iterator[Finding]:
    prompt = item.get("prompt")
    if is_text(prompt) and "\n" not in prompt and len(prompt) < 200 and " " not in prompt.strip():
        name = None if prompt.startswith(SCHEME) else around.find(prompt)
        if name is not None and not around.is_folder(name):
            yield BARE_PROMPT.at((*path, "prompt"), name=repr(prompt), plain=prompt)
