"""Preprocessors of suites and assertions (agentv F.13)."""

from collections.abc import Iterator

from packs.formats.agentv import rules
from packs.formats.agentv.context import Around
from packs.formats.agentv.converters import refusal, trouble_of
from packs.formats.agentv.schema.assertions import CONVERTERS
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.media import read_type
from packs.formats.structure import Structure
from packs.formats.values import listing, mapping

UNUSABLE = Rule(
    "agentv.W309",
    "This preprocessor cannot be used: {reason}.",
    hint="Write a type such as xlsx, and a command as a list that ends with a file of the pack.",
)
REPEATED = Rule(
    "agentv.W310", "A later preprocessor for {type} takes the place of this one.", hint="Keep one of the two."
)
REFUSED = Rule(
    "agentv.W318",
    "The suite is not loaded because of its preprocessors: {reason}.",
    hint="Fix them; AgentV's checks do not report it.",
    rule="L07",
)
WITHOUT_EFFECT = Rule(
    "agentv.N313",
    "An assertion of type {kind} shows no files to a model, so its preprocessors are never run.",
    hint="Remove them here; those of the suite hold for the graders that show files.",
)
# The types of assertions, and of what puts composites together, that ask models.
SHOWING = frozenset({"llm-grader", "rubrics"})


_STRUCTURE = Structure(CONVERTERS, rules.CONVERTERS)


def check_converters(around: Around, document: Document, path: Path = ()) -> Iterator[Finding]:
    """The findings about the preprocessors of a suite or an assertion, which stands at `path`."""
    if "preprocessors" not in document:
        return
    stated, path = document["preprocessors"], (*path, "preprocessors")
    yield from (finding.below(path) for finding in _STRUCTURE.examine(stated))
    known: dict[str, int] = {}
    for index, entry in enumerate(listing(stated)):
        place, reason = (*path, index), trouble_of(around, entry)
        if reason:
            yield UNUSABLE.at(place, reason=reason)
            continue
        kind = read_type(entry["type"])
        if kind in known:
            yield REPEATED.at((*path, known[kind], "type"), type=repr(entry["type"])[:80])
        known[kind] = index


def check_converters_of_suite(around: Around) -> Iterator[Finding]:
    """The findings about the preprocessors of a suite, which can keep it from being loaded."""
    yield from check_converters(around, around.suite)
    if reason := refusal(around, around.suite):
        yield REFUSED.at(("preprocessors",), reason=reason)


def check_use(kind: str, item: Document, path: Path) -> Iterator[Finding]:
    """Whether an assertion has any use for preprocessors of its own."""
    inner = mapping(item.get("aggregator")).get("type")
    is_shown = kind in SHOWING or (isinstance(inner, str) and inner in SHOWING)
    if item.get("preprocessors") and not is_shown:
        yield WITHOUT_EFFECT.at((*path, "preprocessors"), kind=kind)
