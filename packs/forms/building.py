"""Building the fields of a document from its schema."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from packs.editing.values import ABSENT
from packs.formats.findings import Finding, to_pointer
from packs.formats.schema import kinds
from packs.formats.structure.model import (
    ANYTHING,
    Schema,
    fields_of,
    governors,
    matches,
    required_of,
    types_of,
    variant_of,
    variants_of,
)
from packs.forms.choices import MAX_OPTIONS, Declared
from packs.forms.conversions import Kind, kind_of
from packs.forms.encoding import FLAG, JSON, LIST, NULL, NUMBER, OBJECT, TEXT, Unreadable, is_plain, json_text
from packs.forms.fields import NAMELESS, Field, Option, Role, Widget
from packs.forms.sizes import MAX_FREE, MAX_KNOWN, is_larger

SUMMARY_NAMES = ("key", "id", "name", "title", "message", "description")


@dataclass(frozen=True, slots=True)
class Request:
    """What a form is built for.

    `without` leaves out values that other sections edit; `as_json` are values that the user wants to see as JSON text;
    `unreadable` are texts that could not be read and stay on screen as they were typed. `renames` are the addresses
    at which what fields name is renamed everywhere, by their pointers.
    """

    findings: Iterable[Finding] = ()
    declared: Declared = Declared()
    without: frozenset[str] = frozenset()
    as_json: frozenset[str] = frozenset()
    unreadable: Mapping[str, Unreadable] = field(default_factory=dict)
    renames: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ValuePlace:
    """Where a value stands in what is around it."""

    role: Role = Role.FIELD
    required: bool = False
    governs: bool = False
    key: str = ""
    index: int = 0
    count: int = 0
    depth: int = 0
    renamable: bool = False


def build(schema: Schema, value: Any, request: Request, pointer: str = "") -> Field:
    """The field of a value, its whole form below it. `value` is ABSENT where the document has none."""
    return _Builder(request).build(pointer, schema, value, ValuePlace(role=Role.ROOT, required=not pointer))


class _Builder:
    def __init__(self, request: Request) -> None:
        self.request = request
        placed = ((to_pointer(finding.path), finding) for finding in request.findings)
        self.findings = [pair for pair in placed if not self._is_left_out(pair[0])]

    def build(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        """A field with its findings; those that nothing below it shows are shown by itself."""
        found = self._draw(pointer, schema, value, place)
        if "x-effect" in schema:
            found = replace(found, effect=schema["x-effect"])
        if pointer in self.request.renames:
            found = replace(found, rename_url=self.request.renames[pointer])
        return replace(found, findings=self._take(pointer)) if self.findings else found

    def _is_left_out(self, pointer: str) -> bool:
        return any(pointer == left or pointer.startswith(f"{left}/") for left in self.request.without)

    def _take(self, pointer: str) -> tuple[Finding, ...]:
        below = f"{pointer}/"
        mine = [pair for pair in self.findings if pair[0] == pointer or pair[0].startswith(below)]
        if mine:
            self.findings = [pair for pair in self.findings if pair not in mine]
        return tuple(finding for _, finding in mine)

    def _draw(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        if pointer in self.request.unreadable or pointer in self.request.as_json:
            return self._json(pointer, schema, value, place)
        if variants_of(schema):
            return self._union(pointer, schema, value, place)
        if value is not ABSENT and (not matches(schema, value) or not _has_widget(schema)):
            return self._free(pointer, schema, value, place)
        return self._known(pointer, schema, value, place)

    def _known(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        """A value that has the type of its schema, or is absent."""
        if is_larger(value, MAX_KNOWN):
            return self._json(pointer, schema, value, place)
        if "enum" in schema or "const" in schema:
            return self._choice(pointer, schema, value, place)
        kind = next(iter(types_of(schema)), "")
        draw = _DRAWN_BY_TYPE.get(kind, _Builder._text)
        found = draw(self, pointer, schema, value, place)
        return found if kind else replace(found, kind=Kind.TEXT.value)

    def _base(
        self, pointer: str, schema: Schema, value: Any, place: ValuePlace, widget: Widget, code: str, **more: Any
    ) -> Field:
        keep = bool(schema.get("x-keep"))
        in_place = place.role in (Role.ITEM, Role.ENTRY)
        emptied = not place.required and not keep and not in_place and value not in ("", [], {})
        title = schema.get("title", "") or place.key
        return Field(
            pointer,
            widget,
            code,
            optional=value is ABSENT or emptied,
            title=title if place.role is not Role.ENTRY else place.key,
            help=schema.get("description", ""),
            placeholder=_placeholder(schema),
            required=place.required,
            removable=bool(pointer) and not place.required and value is not ABSENT,
            absent=value is ABSENT,
            governs=place.governs,
            role=place.role,
            key=place.key,
            index=place.index,
            count=place.count,
            depth=place.depth,
            renamable=place.renamable,
            **more,
        )

    def _number(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        raw = "" if value is ABSENT else json_text(value)
        return self._base(pointer, schema, value, place, Widget.NUMBER, NUMBER, raw=raw)

    def _text(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        raw = "" if value is ABSENT else value
        if not is_plain(raw):
            return self._json(pointer, schema, value, place)
        options, creatable = self._options(schema), self.request.declared.creatable(schema)
        if (options or creatable) and "\n" not in raw:
            missing = self.request.declared.missing(schema, raw) or creatable
            return replace(self._picker(pointer, schema, value, place, options), missing=missing)
        long = schema.get("x-widget") == "textarea" or not types_of(schema) or "\n" in raw or len(raw) > 120
        widget = Widget.LINES if long else Widget.LINE
        suggestions = self._suggestions(schema) if widget is Widget.LINE else ()
        missing = self.request.declared.missing(schema, raw)
        return self._base(
            pointer, schema, value, place, widget, TEXT, raw=raw, suggestions=suggestions, missing=missing
        )

    def _options(self, schema: Schema) -> tuple[Option, ...]:
        if "x-labels" in schema:
            return tuple(Option(name, schema["x-labels"].get(name, name)) for name in schema.get("examples", ()))
        options = () if schema.get("x-widget") == "suggestions" else self.request.declared.options(schema)
        return options if len(options) < MAX_OPTIONS else ()

    def _suggestions(self, schema: Schema) -> tuple[str, ...]:
        """What is declared, and what a field can always name."""
        picks = (option.value for option in self.request.declared.options(schema))
        examples = (example for example in schema.get("examples", ()) if isinstance(example, str))
        return tuple(dict.fromkeys([*picks, *examples]))

    def _picker(
        self, pointer: str, schema: Schema, value: Any, place: ValuePlace, options: tuple[Option, ...], code: str = TEXT
    ) -> Field:
        """A select; a value that is not among the options stays in it, marked."""
        raw = "" if value is ABSENT else value if isinstance(value, str) else json_text(value)
        known = {option.value for option in options}
        shown = options if raw in known or not raw else (*options, Option(raw, raw, allowed=False))
        empty = () if "" in known else (Option("", ""),)
        return self._base(pointer, schema, value, place, Widget.CHOICE, code, raw=raw, options=empty + shown)

    def _choice(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        """A select of the allowed values, where all of them are texts or all are numbers."""
        labels = schema.get("x-labels", {})
        allowed = [schema["const"]] if "const" in schema else schema["enum"]
        kinds = {kind_of(item) for item in allowed} | ({kind_of(value)} if value is not ABSENT else set())
        if kinds == {Kind.NUMBER}:
            options = tuple(Option(json_text(item), json_text(item)) for item in allowed)
            return self._picker(pointer, schema, value, place, options, NUMBER)
        if kinds != {Kind.TEXT} or (value is not ABSENT and not is_plain(value)):
            return self._json(pointer, schema, value, place)
        options = tuple(Option(item, labels.get(item, item)) for item in allowed)
        return self._picker(pointer, schema, value, place, options)

    def _flag(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        """A checkbox where absent and false are one thing; else a choice of three."""
        raw = "" if value is ABSENT else json_text(value)
        in_place = place.role in (Role.ITEM, Role.ENTRY)
        if not schema.get("x-keep") and schema.get("default") is not True and not in_place:
            return self._base(pointer, schema, value, place, Widget.CHECKBOX, FLAG, raw=raw)
        default = {True: "Not set (yes)", False: "Not set (no)"}.get(schema.get("default", ""), "Not set")
        options = (Option("", default), Option("true", "Yes"), Option("false", "No"))
        return self._base(pointer, schema, value, place, Widget.CHOICE, FLAG, raw=raw, options=options)

    def _object(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        if "properties" not in schema:
            return self._entries(pointer, schema, value, place)
        if value is ABSENT and place.role is Role.FIELD:
            return self._base(pointer, schema, value, place, Widget.OFFER, "")
        present = {} if value is ABSENT else value
        known = self._fields(pointer, schema, present, place.depth)
        extra = self._extra(pointer, schema, present, place.depth)
        opened = tuple(found for found, is_open in known if is_open)
        more = tuple(found for found, is_open in known if not is_open)
        more, opened = (more, opened) if opened or extra else ((), more)
        summary = summary_of(present)
        has_kinds = place.role is Role.ROOT and bool(kinds.offered(schema))
        base = self._base(pointer, schema, value, place, Widget.GROUP, OBJECT, summary=summary, has_kinds=has_kinds)
        base = replace(base, is_check=has_kinds)
        return replace(base, fields=opened, more=more, extra=extra)

    def _fields(self, pointer: str, schema: Schema, value: Mapping[str, Any], depth: int) -> list[tuple[Field, bool]]:
        """The known fields in the schema's order, each with whether it stays open."""
        required, governing = required_of(schema, value), governors(schema) | kinds.deciding(schema)
        foreign, needed = kinds.foreign(schema, value), kinds.opened(schema, value)
        drawn = []
        for name, part in fields_of(schema, value).items():
            below = pointer + to_pointer((name,))
            if below in self.request.without or name in foreign:
                continue
            place = ValuePlace(required=name in required, governs=name in governing, depth=depth + 1, key=name)
            is_open = (
                name in required or name in value or name in needed or part.get("x-open", depth == 0 and _is_main(part))
            )
            drawn.append((self.build(below, part, value.get(name, ABSENT), place), is_open))
        return drawn

    def _extra(self, pointer: str, schema: Schema, value: Mapping[str, Any], depth: int) -> tuple[Field, ...]:
        """The keys that the schema does not know."""
        known = fields_of(schema, value)
        names = [name for name in value if name not in known]
        more = schema.get("additionalProperties")
        part = more if isinstance(more, dict) else ANYTHING
        return self._named(pointer, part, {name: value[name] for name in names}, depth)

    def _named(self, pointer: str, schema: Schema, values: Mapping[str, Any], depth: int) -> tuple[Field, ...]:
        drawn = []
        for index, (name, value) in enumerate(values.items()):
            below = pointer + to_pointer((name,))
            if below in self.request.without:
                continue
            renamable = is_plain(name) and "\n" not in name
            place = ValuePlace(Role.ENTRY, False, False, name, index, len(values), depth + 1, renamable)
            drawn.append(self.build(below, schema, value, place))
        return tuple(drawn)

    def _entries(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        more = schema.get("additionalProperties")
        part = more if isinstance(more, dict) else ANYTHING
        if not part and is_larger(value, MAX_FREE):
            return self._json(pointer, schema, value, place)
        named = self._named(pointer, part, {} if value is ABSENT else value, place.depth)
        return replace(self._base(pointer, schema, value, place, Widget.ENTRIES, OBJECT), fields=named)

    def _items(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        part = schema.get("items", ANYTHING)
        if not part and is_larger(value, MAX_FREE):
            return self._json(pointer, schema, value, place)
        present = [] if value is ABSENT else value
        drawn = [
            self.build(f"{pointer}/{index}", part, item, self._item_place(index, len(present), place.depth))
            for index, item in enumerate(present)
        ]
        title = part.get("title", "") or NAMELESS
        noun = kinds.offered(part).get("noun", "")
        folds = part.get("x-open") is False
        drawn = [replace(item, is_check=noun == "check", folds=folds) for item in drawn]
        more: dict[str, Any] = {"item_title": title, "has_kinds": bool(noun), "noun": noun}
        base = self._base(pointer, schema, value, place, Widget.ITEMS, LIST, **more)
        return replace(base, fields=tuple(drawn))

    @staticmethod
    def _item_place(index: int, count: int, depth: int) -> ValuePlace:
        return ValuePlace(Role.ITEM, False, False, "", index, count, depth + 1)

    def _union(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        variants = variants_of(schema)
        chosen = variant_of(schema, value)
        part = {**{"title": schema.get("title", "")}, **variants[chosen]}
        if place.role is Role.FIELD:
            # A field is called by its own name; the list beside it names its shapes.
            own = ("title", "description")
            part |= {name: schema[name] for name in own if schema.get(name)}
        draw = self._known if value is ABSENT else self._draw
        found = draw(pointer, part, value, place)
        titles = tuple(variant.get("title", f"Shape {number + 1}") for number, variant in enumerate(variants))
        return found if found.kind else replace(found, variant=chosen, variants=titles)

    def _free(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        """A value whose type the user chooses, drawn by the type that it has."""
        bare = {name: schema[name] for name in ("title", "description", "x-keep") if name in schema}
        kind = kind_of(value)
        if is_larger(value, MAX_FREE) or (isinstance(value, str) and not is_plain(value)):
            return self._json(pointer, bare, value, place)
        if kind is Kind.NULL:
            found = self._base(pointer, bare, value, place, Widget.NULL, NULL)
        elif kind is Kind.BOOLEAN:
            options = (Option("true", "True"), Option("false", "False"))
            found = self._base(pointer, bare, value, place, Widget.CHOICE, FLAG, raw=json_text(value), options=options)
        else:
            shown = {**bare, "type": _JSON_TYPES[kind], "x-widget": "textarea"}
            found = self._known(pointer, shown, value, place)
        return found if found.code == JSON else replace(found, kind=kind.value, optional=False)

    def _json(self, pointer: str, schema: Schema, value: Any, place: ValuePlace) -> Field:
        trouble = self.request.unreadable.get(pointer)
        raw = trouble.text if trouble else "" if value is ABSENT else json_text(value)
        found = self._base(pointer, schema, value, place, Widget.JSON, JSON, raw=raw)
        return replace(found, kind=Kind.JSON.value, optional=place.role is Role.FIELD and not place.required)


_DRAWN_BY_TYPE = {
    "object": _Builder._object,
    "array": _Builder._items,
    "boolean": _Builder._flag,
    "integer": _Builder._number,
    "number": _Builder._number,
}
_JSON_TYPES = {Kind.TEXT: "string", Kind.NUMBER: "number", Kind.LIST: "array", Kind.OBJECT: "object"}


def _has_widget(schema: Schema) -> bool:
    """Whether the schema says enough to draw a widget of its own: one type, or a closed list of values."""
    return len(types_of(schema)) == 1 or "enum" in schema or "const" in schema


def _is_main(schema: Schema) -> bool:
    """Lists and free data at the top of a node are what the node is about: they are never collapsed."""
    return "array" in types_of(schema) or ("object" in types_of(schema) and "properties" not in schema)


def _placeholder(schema: Schema) -> str:
    if "default" in schema:
        return json_text(schema["default"]) if not isinstance(schema["default"], str) else schema["default"]
    examples = [example for example in schema.get("examples", ()) if isinstance(example, str | int | float)]
    return str(examples[0]) if examples else ""


def summary_of(value: Mapping[str, Any]) -> str:
    """A few words that tell an item from its siblings."""
    words = [value[name] for name in SUMMARY_NAMES if isinstance(value.get(name), str) and value[name].strip()]
    kind = next((value[name] for name in ("kind", "type", "actor") if isinstance(value.get(name), str)), "")
    content = value.get("value", "")
    said = "" if isinstance(content, dict | list) else content if isinstance(content, str) else json_text(content)
    shown = (" ".join(word[:200].split()) for word in (*words[:1], kind, said))
    return " · ".join(word if len(word) <= 60 else f"{word[:60]}…" for word in shown if word)
