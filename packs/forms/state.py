"""One section of a document while it is edited: drawn as a field, read back from what a browser submits."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from packs.editing.values import ABSENT, EditRefused
from packs.formats.document import Document
from packs.formats.structure.model import Schema, schema_at
from packs.forms.arranging import Refusal, settle
from packs.forms.building import Request, build
from packs.forms.encoding import Unreadable, decode
from packs.forms.fields import Field
from packs.forms.pointers import in_order_of, is_at_or_below, read, write
from packs.forms.sections import Section
from packs.forms.switching import switch

# A form without fields.
NOTHING: Schema = {"type": "object", "properties": {}, "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a form said: the document with it, and what could not be taken over and has to be asked about.

    `unreadable` are texts that are no JSON, `clashes` new names of keys that are taken, `refusals` conversions that
    would lose something; at all of these places the document is what it was. `as_json` are values to show as JSON.
    """

    document: Document
    unreadable: dict[str, Unreadable] = field(default_factory=dict)
    clashes: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    as_json: frozenset[str] = frozenset()

    @property
    def is_complete(self) -> bool:
        return not (self.unreadable or self.clashes or self.refusals)


@dataclass(frozen=True, slots=True)
class State:
    """A section of a document, and the schema of the whole document.

    `hidden` are parts that its form leaves out because they are too large (`packs.forms.sizes`).
    """

    schema: Schema
    document: Document
    section: Section
    hidden: frozenset[str] = frozenset()

    def field(self, request: Request) -> Field:
        """The section's field; its form is everything below."""
        pointer = self.section.pointer
        if pointer in self.hidden:
            return build(NOTHING, {}, request, pointer)
        part, value = schema_at(self.schema, self.document, pointer), read(self.document, pointer)
        for place in self.hidden:
            if is_at_or_below(place, pointer):
                value = write(value, place.removeprefix(pointer), ABSENT)
        whole = replace(request, without=request.without | self.section.without | self.hidden)
        return build(part, value, whole, pointer)

    def read(self, pairs: Iterable[tuple[str, str]], pointer: str | None = None, confirmed: str = "") -> Answer:
        """The document with what was submitted for the section, or only for the value at a `pointer` in it.

        A conversion that loses something is made only at the `confirmed` pointer.
        """
        root = self.section.pointer if pointer is None else pointer
        submitted = decode(pairs, root)
        value = self._with_kept_parts(submitted.value, root, submitted.unreadable)
        value = in_order_of(read(self.document, root), value)
        try:
            document = write(self.document, root, value)
        except EditRefused:
            document = self.document
        document, refusals = settle(self.schema, document, submitted.kinds, submitted.variants, confirmed)
        document, more = switch(self.schema, self.document, document, confirmed)
        refusals += more
        as_json = frozenset(at for at, kind in submitted.kinds.items() if kind == "json")
        return Answer(document, submitted.unreadable, tuple(submitted.clashes), tuple(refusals), as_json)

    def _with_kept_parts(self, value: Any, root: str, unreadable: Iterable[str]) -> Any:
        """The value with what its form did not show (other sections) or could not read put back in."""
        for pointer in [*self.section.without, *self.hidden, *unreadable]:
            kept = read(self.document, pointer)
            below = pointer.removeprefix(root)
            if kept is ABSENT or not (pointer == root or pointer.startswith(f"{root}/")):
                continue
            try:
                value = write({} if value is ABSENT else value, below, kept)
            except EditRefused:
                continue
        return value
