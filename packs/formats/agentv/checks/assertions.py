"""Lists of assertions (agentv F): S28 to S37, and what AgentV takes without a word although it is hardly meant."""

from collections.abc import Iterator
from typing import Any

from packs.formats.agentv.assertions import is_include, is_own_type
from packs.formats.agentv.checks.converters import check_converters, check_use
from packs.formats.agentv.context import Around
from packs.formats.agentv.kinds import KINDS, REMOVED_KINDS, kind_of
from packs.formats.agentv.layout import SCHEME
from packs.formats.agentv.reading import is_text
from packs.formats.agentv.rules import ASSERTIONS
from packs.formats.agentv.schema.assertions import assertions
from packs.formats.document import Document
from packs.formats.ecmascript import pattern_trouble
from packs.formats.findings import Finding, Path, Rule
from packs.formats.structure import Structure
from packs.formats.values import listing

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
BAD_PATTERN = Rule(
    "agentv.W135", "The pattern cannot be used: {reason}.", hint="Patterns are those of JavaScript.", rule="S35"
)
BARE_PROMPT = Rule(
    "agentv.W303",
    "The prompt is the text {name}, not the file of that name.",
    hint="Write file://{plain} to use what the file says.",
)
_REPLACED = {"code-judge": "code-grader", "llm-judge": "llm-grader"}


# How far a finding about one assertion is from its list: at most at a field.
_DEPTH = 2
_STRUCTURE = Structure(assertions(""), ASSERTIONS, ASSERTIONS)


def check_assertions(around: Around, stated: Any, path: Path) -> Iterator[Finding]:
    """The findings about a list of assertions; paths begin with `path`."""
    # Members of a composite are a list of their own.
    yield from (found.below(path) for found in _STRUCTURE.examine(stated) if len(found.path) <= _DEPTH)
    for index, item in enumerate(listing(stated)):
        if is_include(item):
            yield INCLUDE.at((*path, index, "type"))
        elif isinstance(item, dict) and isinstance(item.get("type"), str):
            yield from _check_one(around, item, (*path, index))


def _check_one(around: Around, item: Document, path: Path) -> Iterator[Finding]:
    kind, value = kind_of(item), item.get("value")
    if kind not in KINDS and not is_own_type(around, kind):
        yield UNKNOWN_TYPE.at((*path, "type"), name=repr(kind)[:80], advice=_advice(kind))
    if kind == "regex" and isinstance(value, str) and (reason := pattern_trouble(value)):
        yield BAD_PATTERN.at((*path, "value"), reason=reason)
    yield from _check_prompt(around, item, path)
    yield from check_converters(around, item, path)
    yield from check_use(kind, item, path)
    if kind == "composite":
        yield from check_assertions(around, item.get("assertions", []), (*path, "assertions"))


def _advice(kind: str) -> str:
    if kind in REMOVED_KINDS:
        return f"The type was removed; use {_REPLACED[kind]}."
    return f"The types are {', '.join(KINDS)}; or add a script to .agentv/assertions."


def _check_prompt(around: Around, item: Document, path: Path) -> Iterator[Finding]:
    prompt = item.get("prompt")
    if is_text(prompt) and "\n" not in prompt and len(prompt) < 200 and " " not in prompt.strip():
        name = None if prompt.startswith(SCHEME) else around.find(prompt)
        if name is not None and not around.is_folder(name):
            yield BARE_PROMPT.at((*path, "prompt"), name=repr(prompt), plain=prompt)
