"""The text of the YAML lens: a node's document, or the section of the pack's document that is on the desk."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from packs.formats import jsonio, yamlio
from packs.formats.adapter import Node
from packs.formats.costs import MAX_BYTES, MAX_VALUES, is_costly, is_wide
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule, from_pointer, to_pointer
from packs.forms.excerpts import excerpt, outside, shown_section, with_excerpt
from packs.forms.sections import section_for
from packs.mirror import RowIndex, node_of
from packs.views.workbench.desk import Desk

OUTSIDE = Rule(
    "form.E003",
    "{name!r} is not part of this section.",
    hint="Edit it in the section {section!r}, or in the YAML of the whole pack.",
)
TOO_MUCH = Rule(
    "form.E004",
    "This text has more values than can be checked while somebody waits; {limit} at most.",
    hint="Export the pack, put the text into its file, and import that: a job checks it.",
)
TOO_WIDE = Rule(
    "form.E006",
    "This has more than {megabytes} MB or {limit:,} values, which is too much for a page.",
    hint="Export the pack, change its file, and import that: a job checks it.",
)
UNWRITABLE = Rule(
    "form.E005",
    "This cannot be written as YAML: {reason}",
    hint="Put long texts into files of their own, or export the pack and edit its files.",
)
# Longer texts are not edited here.
MAX_TEXT = 2_000_000


@dataclass(frozen=True, slots=True)
class Shown:
    """What the lens shows: no text where that would be too much, and why it cannot be edited, if it cannot."""

    text: str | None
    trouble: list[Finding]


def too_long(text: str, limit: int) -> list[Finding]:
    """What is said of a text that has more characters or values than an editor takes; no part of it is looked at."""
    if len(text) > limit:
        return [jsonio.TEXT_TOO_LONG.at((), size=len(text), limit=limit)]
    is_much = is_costly({"text": text.encode("utf-8", "replace")})
    return [TOO_MUCH.at((), limit=MAX_VALUES)] if is_much else []


def shown_text(desk: Desk) -> Shown:
    """The text of the lens; where the document has nothing there, the keys that lead to the section, as comments."""
    document = desk.row.document
    section = shown_section(desk.section, document)
    part = excerpt(document, section)
    steps = from_pointer(section.pointer)
    if not part and steps:
        return Shown("".join(f"# {'  ' * depth}{step}:\n" for depth, step in enumerate(steps)), [])
    if is_wide(part):
        return Shown(None, [TOO_WIDE.at((), megabytes=MAX_BYTES // 1_000_000, limit=MAX_VALUES)])
    try:
        text = desk.adapter.dump_node(desk.kind, part)
    except yamlio.UnwritableError as error:
        return Shown(None, [UNWRITABLE.at((), reason=str(error))])
    return Shown(text, too_long(text, MAX_TEXT))


def read_text(desk: Desk, text: str, document: Document) -> tuple[Document | None, list[Finding]]:
    """The document with what the lens text says in its place; None where the text cannot be taken, with the reasons.

    `document` is what the text was made from. What stands in it outside the section stays as it is.
    """
    section = shown_section(desk.section, document)
    part, found = ({}, []) if section.pointer and is_blank(text) else desk.adapter.load_node(desk.kind, text)
    if part is None:
        return None, found
    foreign = outside(document, section, part)
    if foreign:
        return None, [*found, *misplaced(desk, text, foreign)]
    return with_excerpt(document, section, part), found


def findings_of(desk: Desk, text: str) -> list[Finding]:
    """The findings of lens text with their places; of a section only those that its form shows too."""
    document, trouble = read_text(desk, text, desk.row.document)
    if document is None:
        return trouble
    key, challenge_key = desk.adapter.identify(desk.kind, document)
    stored = node_of(desk.row)
    node = Node(desk.kind, document, key, challenge_key, stored.parent, stored.position)
    section = shown_section(desk.section, document)
    found = desk.adapter.check_node(RowIndex(desk.pack), node)
    shown = [finding for finding in found if section.holds(to_pointer(finding.path))]
    return [*trouble, *yamlio.place_in(text, "", shown)]


def is_blank(text: str) -> bool:
    """Whether a text has only comments and blank lines."""
    return all(line.lstrip().startswith("#") for line in text.splitlines() if line.strip())


def misplaced(desk: Desk, text: str, paths: list[Path]) -> Iterator[Finding]:
    """A finding for each path that another section edits, where its key stands."""
    marks = yamlio.locate(text, paths)
    for path in paths:
        owner = section_for(desk.sections, to_pointer(path))
        found = OUTSIDE.at(path, name=str(path[-1]) if path else "this", section=owner.title)
        yield replace(found, line=marks[path].key_line, column=marks[path].key_column)
