"""Canaries: a mark of its own in every field that agents must not see, in packs that can still be run."""

import re
from dataclasses import dataclass, field, replace

from packs.formats import adapter_of
from packs.formats.audience import ENTRY, NAMED, fields_of
from packs.formats.document import Case, InputSet, NodeKind
from packs.formats.schema.pieces import AGENT

SHOWN = "found{:05d}mark"
_NAMED_MARK = re.compile(r"@([a-z][\w -]*)@")
# Numbers that are marks: 731, the number of the mark in five digits, and a 7, so that no fraction ends in a zero.
FIRST_NUMBER = 731_000_007


@dataclass
class Canaries:
    """The marks of a pack: what each stands for, and those that agents are to find."""

    kept: dict[str, str] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)

    def of(self, place):
        """A new mark, as its number: `text_of` and `number_of` are the forms in which it can be planted."""
        number = len(self.kept)
        self.kept[f"kept{number:05d}mark"] = place
        return number

    def fill(self, text):
        """A text of a scene with marks in their places."""
        text = re.sub("%%", lambda _: self._show(), text)
        return _NAMED_MARK.sub(lambda found: self._name(found[1]), text)

    def _show(self):
        self.shown.append(SHOWN.format(len(self.shown)))
        return self.shown[-1]

    def _name(self, name):
        if name not in self.named:
            self.named[name] = text_of(self.of(f"the scene: {name}"))
        return self.named[name]

    def found_in(self, text):
        """What agents must not see and a text holds."""
        hits = {f"kept{found}mark" for found in re.findall(r"kept(\d{5})mark", text)}
        hits |= {text_of(int(found)) for found in re.findall(r"731(\d{5})7", text)}
        return sorted(self.kept[hit] for hit in hits if hit in self.kept)


def text_of(number):
    return f"kept{number:05d}mark"


def number_of(number):
    return FIRST_NUMBER + 10 * number


def scene(files, name, canaries):
    """A scene as a tree, its marks in their places."""
    filled = {canaries.fill(path): canaries.fill(text).encode() for path, text in files.items()}
    pack, findings = adapter_of(name).load(filled)
    assert pack is not None, findings
    errors = [found for found in (*findings, *adapter_of(name).check(pack)) if found.is_error]
    assert errors == [], errors
    return pack, filled


def hidden_fields(adapter, kind):
    """The fields of a kind of node that agents must not see."""
    return [found for found in fields_of(adapter.SCHEMA[kind]) if found.audience != AGENT]


# What a few texts have to look like for a task to come as far as its agent: a hook is a command that reads its input.
_FORMS = {"$file": "evals/{}.eval.yaml", "command": "sed -n s/{}//", "memory": "731{}7"}
_COMMAND = ("sed", "-n", "s/{}//")


def value_for(found, number):
    """A value with a mark for a field; None where it can hold none: flags, choices, small numbers, ids of files."""
    schema = found.schema
    if "enum" in schema or "const" in schema or schema.get("format") == "uuid":
        return None
    kind = schema.get("type")
    kinds = set(kind if isinstance(kind, list) else [kind])
    if kinds & {"integer", "number"}:
        return _number_for(schema, kinds, number_of(number))
    if kinds == {"boolean"}:
        return None
    if kinds == {"object"}:
        return {f"key {text_of(number)}": {"in": [text_of(number), number_of(number)]}}
    if "hooks" in found.path and found.path[-2:] == ("command", ENTRY):
        return tuple(part.format(text_of(number)) for part in _COMMAND)
    is_formed = found.path[-1] in _FORMS and (found.path[-1] != "command" or "hooks" in found.path)
    form = _FORMS[found.path[-1]] if is_formed else "{}"
    return form.format(f"{number:05d}" if found.path[-1] == "memory" else text_of(number))


def _number_for(schema, kinds, whole):
    wanted = whole if schema.get("maximum", whole) >= whole else whole / 10**9
    return wanted if ("number" in kinds or wanted == whole) and wanted <= schema.get("maximum", wanted) else None


@dataclass(frozen=True)
class Needed:
    """A value that something around a mark requires; what stands there already is kept."""

    value: object


def condition_of(found):
    """What a node must say for a field to be there at all."""
    return _condition(found.trail[1]) if "then" in found.trail[1] else {}


def holder(found, value):
    """The part of a document that brings a value into a field, with all that the schema requires around it."""
    trail = found.trail[3:] if "then" in found.trail[1] else found.trail[1:]
    return {found.path[0]: _built(trail, found.path[1:], value)}


def _built(trail, path, value):
    schema, *rest = trail
    if not rest:
        return _deep(path, value)
    part = rest[0]
    if path and schema.get("properties", {}).get(path[0]) is part:
        return {**_needed(schema, path[0]), path[0]: _built(rest, path[1:], value)}
    if path and path[0] == ENTRY and schema.get("items") is part:
        return list(value) if len(rest) == 1 and isinstance(value, tuple) else [_built(rest, path[1:], value)]
    if path and path[0] == NAMED and schema.get("additionalProperties") is part:
        return {"any": _built(rest, path[1:], value)}
    inner = _built(rest[1:] if "then" in part else rest, path, value)
    return {**_needed(schema, ""), **_condition(part), **inner} if isinstance(inner, dict) else inner


def _deep(path, value):
    """A value below names that no schema knows."""
    for step in reversed(path):
        value = [value] if step == ENTRY else {step: value}
    return value


def _needed(schema, but):
    parts = schema.get("properties", {})
    names = [name for name in schema.get("required", ()) if name != but and name in parts]
    return {name: Needed(least(parts[name])) for name in names}


def _condition(part):
    stated = part.get("if", {}).get("properties", {})
    return {name: each.get("const", (each.get("enum") or [None])[0]) for name, each in stated.items()}


_LEAST = {"integer": 1, "number": 1, "boolean": True, "string": "x"}


def least(schema):
    """A value that keeps to a schema."""
    stated = [schema[word] for word in ("const", "default") if word in schema]
    stated += [schema[word][0] for word in ("enum", "examples") if schema.get(word)]
    if stated:
        return stated[0]
    if "oneOf" in schema:
        return least(schema["oneOf"][0])
    if schema.get("type") == "object":
        return {name: part.value for name, part in _needed(schema, "").items()}
    if schema.get("type") == "array":
        return [least(schema["items"])] if schema.get("minItems") else []
    return schema.get("minimum") or _LEAST.get(schema.get("type"), "x")


NOTHING = object()


def merged(document, added):
    """A document with another laid over it: lists are joined, other values that are there give way to new ones."""
    if isinstance(added, Needed):
        return added.value if document is NOTHING else document
    if isinstance(added, dict):
        below = document if isinstance(document, dict) else {}
        return {**below, **{name: merged(below.get(name, NOTHING), part) for name, part in added.items()}}
    if isinstance(added, list):
        return [*(document if isinstance(document, list) else ()), *(merged(NOTHING, part) for part in added)]
    return added


@dataclass(frozen=True)
class Planted:
    """A field of a kind of node with the number of its mark, and what brings that into a document."""

    kind: NodeKind
    number: int
    place: str
    condition: dict
    added: dict


def with_planted(pack, planted):
    """A pack in which all nodes that can hold them hold the marks."""
    adapter = adapter_of(pack.format)

    def grown(kind, document):
        for one in planted:
            if one.kind is kind and all(document.get(name) == value for name, value in one.condition.items()):
                document = merged(document, one.added)
        return document

    def set_of(input_set):
        document = grown(NodeKind.INPUT_SET, input_set.document)
        cases = [grown(NodeKind.CASE, case.document) for case in input_set.cases]
        key = adapter.identify(NodeKind.INPUT_SET, document)[0]
        return InputSet(key, document, tuple(Case(*adapter.identify(NodeKind.CASE, case), case) for case in cases))

    return replace(
        pack,
        document=grown(NodeKind.PACK, pack.document),
        challenges=tuple(replace(one, document=grown(NodeKind.CHALLENGE, one.document)) for one in pack.challenges),
        input_sets=tuple(map(set_of, pack.input_sets)),
    )
