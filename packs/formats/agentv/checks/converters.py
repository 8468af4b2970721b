"""Preprocessors of suites and assertions (agentv F.13)."""

from collections.abc import Iterator
from typing import Any

from packs.formats.agentv.context import Around
from packs.formats.agentv.converters import FIELDS, trouble_of
from packs.formats.agentv.layout import inside
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.media import read_type
from packs.formats.values import listing, mapping

NO_LIST = Rule("agentv.W308", "The preprocessors are no list, so there are none.", hint="Begin each with a dash.")
UNUSABLE = Rule(
    "agentv.W309",
    "This preprocessor is not used: {reason}.",
    hint="Write a type such as xlsx, and a command as a list.",
)
REPEATED = Rule(
    "agentv.W310", "An earlier preprocessor is for {type} too, so this one is not used.", hint="Keep one of the two."
)
NO_PROGRAM = Rule(
    "agentv.W311",
    "There is no file {name} for this preprocessor.",
    hint="Add it, or mend the path: commands run in the suite's folder.",
)
UNKNOWN_FIELD = Rule(
    "agentv.N312", "AgentV knows no field {name} of a preprocessor.", hint="Look for a slip of the pen."
)
WITHOUT_EFFECT = Rule(
    "agentv.N313",
    "An assertion of type {kind} shows no files to a model, so its preprocessors are never run.",
    hint="Remove them here; those of the suite hold for the graders that show files.",
)
# The types of assertions, and of what puts composites together, that ask models.
SHOWING = frozenset({"llm-grader", "rubrics"})
_SCRIPTS = (".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ".bash", ".rb", ".pl")


def check_converters(around: Around, stated: Any, path: Path) -> Iterator[Finding]:
    """The findings about a list of preprocessors; paths begin with `path`."""
    if stated is None:
        return
    if not isinstance(stated, list):
        yield NO_LIST.at(path)
        return
    known: set[str] = set()
    for index, entry in enumerate(stated):
        place, reason = (*path, index), trouble_of(entry)
        if reason:
            yield UNUSABLE.at(place, reason=reason)
            continue
        kind = read_type(entry["type"])
        if kind in known:
            yield REPEATED.at((*place, "type"), type=repr(entry["type"])[:80])
        known.add(kind)
        yield from (UNKNOWN_FIELD.at((*place, name), name=repr(name)[:80]) for name in entry if name not in FIELDS)
        yield from _check_files(around, entry["command"], (*place, "command"))


def check_use(kind: str, item: Document, path: Path) -> Iterator[Finding]:
    """Whether an assertion has any use for preprocessors of its own."""
    inner = mapping(item.get("aggregator")).get("type")
    is_shown = kind in SHOWING or (isinstance(inner, str) and inner in SHOWING)
    if item.get("preprocessors") and not is_shown:
        yield WITHOUT_EFFECT.at((*path, "preprocessors"), kind=kind)


def _check_files(around: Around, command: Any, path: Path) -> Iterator[Finding]:
    for index, part in enumerate(listing(command)):
        if part.startswith(("./", "../")) or part.endswith(_SCRIPTS):
            name = inside(around.folder, part)
            if name is None or not around.exists(name):
                yield NO_PROGRAM.at((*path, index), name=repr(part)[:160])
