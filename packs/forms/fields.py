"""What the templates draw: a tree of fields, everything decided."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha1

from packs.formats.findings import Finding
from packs.forms.encoding import KIND, NAME, VARIANT, control_name, encode_pointer

# Longer lists show their items folded.
MAX_OPEN = 5
# Longer texts, and those of several lines, have a preview.
SHORT = 120
# What items are called whose schema has no title.
NAMELESS = "Item"
KINDS = (
    ("text", "Text"),
    ("number", "Number"),
    ("boolean", "True/false"),
    ("null", "Null"),
    ("list", "List"),
    ("object", "Object"),
    ("json", "JSON"),
)


class Widget(StrEnum):
    """How a value is drawn; each has a template of the same name."""

    LINE = "line"
    LINES = "lines"
    NUMBER = "number"
    CHOICE = "choice"
    CHECKBOX = "checkbox"
    JSON = "json"
    NULL = "null"
    GROUP = "group"
    ENTRIES = "entries"
    ITEMS = "items"
    OFFER = "offer"


class Role(StrEnum):
    """What a field is to the object or list around it; decides its buttons."""

    FIELD = "field"
    ITEM = "item"
    ENTRY = "entry"
    ROOT = "root"


@dataclass(frozen=True, slots=True)
class Option:
    """A choice: what is submitted, its words, and whether the document may really say it."""

    value: str
    label: str
    allowed: bool = True


@dataclass(frozen=True, slots=True)
class Missing:
    """What a form can create: its sort as `x-declares` says it, the sort in words, and its name where one is stated."""

    sort: str
    noun: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a document as the form shows it.

    `raw` is what its control holds; `fields` are open, `more` collapsed, `extra` the keys that the schema does not
    know. With `has_kinds` a gallery offers what can be added to a list (a `noun`), or chosen for the whole form; the
    keys `shortcut` open it, or add an item. What `is_check` can be tried on an answer; what `folds` is seldom edited.
    `kind` is set where the type can be chosen, `variant` where one of several shapes can. `effect` is operational or
    informational, where the schema says it. `governs` marks a field on which its siblings depend; `missing` is what it
    refers to and the form can create; `rename_url` leads to where what it names gets another name in all places;
    `quiet` marks one that was left empty, so that what is missing is not yet an alarm.
    """

    pointer: str
    widget: Widget
    code: str = ""
    optional: bool = False
    title: str = ""
    help: str = ""
    effect: str = ""
    summary: str = ""
    raw: str = ""
    placeholder: str = ""
    required: bool = False
    removable: bool = False
    absent: bool = False
    governs: bool = False
    role: Role = Role.FIELD
    key: str = ""
    index: int = 0
    count: int = 0
    depth: int = 0
    renamable: bool = False
    rename_url: str = ""
    item_title: str = ""
    has_kinds: bool = False
    noun: str = ""
    shortcut: str = ""
    is_check: bool = False
    folds: bool = False
    options: tuple[Option, ...] = ()
    suggestions: tuple[str, ...] = ()
    missing: Missing | None = None
    kind: str = ""
    variant: int | None = None
    variants: tuple[str, ...] = ()
    fields: tuple["Field", ...] = ()
    more: tuple["Field", ...] = ()
    extra: tuple["Field", ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def dom_id(self) -> str:
        """A name for the page that depends on the pointer only, so that fragments and links find the field."""
        return dom_id(self.pointer)

    @property
    def name(self) -> str:
        return control_name(self.code, self.pointer, self.optional)

    @property
    def kind_name(self) -> str:
        return control_name(KIND, self.pointer)

    @property
    def variant_name(self) -> str:
        return control_name(VARIANT, self.pointer)

    @property
    def key_name(self) -> str:
        return control_name(NAME, self.pointer)

    @property
    def at(self) -> str:
        """The pointer in ASCII, as buttons and requests carry it."""
        return encode_pointer(self.pointer)

    @property
    def kinds(self) -> tuple[tuple[str, str], ...]:
        return KINDS

    @property
    def rows(self) -> int:
        """The height of a text area, in lines."""
        lines = self.raw.count("\n") + 1 + sum(len(line) // 90 for line in self.raw.split("\n", 60)[:60])
        least = 1 if self.kind else 3
        return max(least, min(24, lines if self.kind else lines + 1))

    @property
    def has_preview(self) -> bool:
        """Whether a text is long enough to be read better than in the control that edits it."""
        return self.widget is Widget.LINES and ("\n" in self.raw.strip() or len(self.raw) > SHORT)

    @property
    def is_open(self) -> bool:
        """Whether an item is unfolded from the start: in short lists unless it folds, and where there are problems."""
        return (self.count <= MAX_OPEN and not self.folds) or bool(self.problems) or not self.summary

    @property
    def template(self) -> str:
        return f"packs/workbench/fields/{self.widget}.html"

    @property
    def is_container(self) -> bool:
        return self.widget in (Widget.GROUP, Widget.ENTRIES, Widget.ITEMS)

    @property
    def children(self) -> tuple["Field", ...]:
        return self.fields + self.more + self.extra

    @property
    def has_error(self) -> bool:
        return any(finding.is_error for finding in self.findings)

    @property
    def quiet(self) -> bool:
        return self.absent and not self.is_container

    @property
    def problems(self) -> int:
        """How many findings stand here and below."""
        return len(self.findings) + sum(child.problems for child in self.children)

    @property
    def errors(self) -> int:
        """How many of them are errors."""
        own = sum(finding.is_error for finding in self.findings)
        return own + sum(child.errors for child in self.children)

    @property
    def is_part(self) -> bool:
        """Whether this is an item of a list that folds away under a head of its own."""
        return self.role is Role.ITEM and self.widget is Widget.GROUP

    @property
    def problems_in_more(self) -> int:
        return sum(child.problems for child in self.more)

    @property
    def is_first(self) -> bool:
        return self.index == 0

    @property
    def is_last(self) -> bool:
        return self.index == self.count - 1

    @property
    def number(self) -> int:
        """The place of a list's item as people count."""
        return self.index + 1

    def walk(self) -> Iterator["Field"]:
        """This field and everything below it, in the order of the page."""
        yield self
        for child in self.children:
            yield from child.walk()

    def leaves(self, is_lacking: bool = False) -> Iterator[tuple["Field", bool]]:
        """The open fields that hold a value, each with whether it or what is around it has a finding."""
        is_lacking = is_lacking or bool(self.findings)
        if self.is_container:
            for child in (*self.fields, *self.extra):
                yield from child.leaves(is_lacking)
        elif self.widget is not Widget.OFFER:
            yield self, is_lacking

    @property
    def entry(self) -> "Field":
        """Where writing begins: the first field that still lacks its value, else the first longer text."""
        found = [*self.leaves()]
        lacking = (leaf for leaf, is_lacking in found if is_lacking and not leaf.raw)
        texts = (leaf for leaf, _ in found if leaf.widget is Widget.LINES)
        return next(lacking, next(texts, self))

    def find(self, pointer: str) -> "Field | None":
        return next((field for field in self.walk() if field.pointer == pointer), None)

    def nearest(self, pointer: str) -> "Field":
        """The field of a pointer, or the closest one around it that the form shows."""
        while True:
            found = self.find(pointer)
            if found or not pointer:
                return found or self
            pointer = pointer.rpartition("/")[0]


def dom_id(pointer: str) -> str:
    digest = sha1(pointer.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
    return f"f-{digest[:12]}"
