"""Canaries: a mark of its own in every field that agents must not see, in packs that can still be run."""

import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import count

from packs.formats import adapter_of
from packs.formats.audience import ENTRY, NAMED, fields_of, name_of
from packs.formats.document import Case, InputSet, NodeKind, Pack
from packs.formats.schema.pieces import AGENT
from packs.formats.structure.model import blank, variants_of
from tests.runs.secrecy.scenes import SCENES

# Numbers that are marks: 731, the number of the mark in five digits, and a 7, so that no fraction ends in a zero.
FIRST_NUMBER = 731_000_007
MARK = re.compile(r"kept(\d{5})mark|731(\d{5})7")


class Canaries:
    """The marks of a pack: `places` says what each stands for."""

    def __init__(self):
        self.places = []
        self.shown = count()

    def of(self, place):
        """A new mark, as its number: `text_of` and `number_of` are the forms in which it can be planted."""
        self.places.append(place)
        return len(self.places) - 1

    def fill(self, text):
        """A text of a scene with marks in their places."""
        text = re.sub("%%", lambda _: f"found{next(self.shown):05d}mark", text)
        return re.sub(r"@([a-z][\w -]*)@", lambda found: text_of(self._named(f"the scene: {found[1]}")), text)

    def _named(self, place):
        return self.places.index(place) if place in self.places else self.of(place)

    def found_in(self, text):
        """The places whose marks a text holds."""
        numbers = {int("".join(found)) for found in MARK.findall(text)}
        return sorted(self.places[number] for number in numbers if number < len(self.places))


def text_of(number):
    return f"kept{number:05d}mark"


def number_of(number):
    return FIRST_NUMBER + 10 * number


# Fields that must name something that is there, so that no agent is asked where they hold any mark: what it would be.
MUST_EXIST = {
    "version.sandbox.additional_packages[]": "a package of the machine",
    "workspace.docker.image": "an image",
    "workspace.env.required_commands[]": "a program of the machine",
    "workspace.env.required_python_modules[]": "a module of Python",
    **{f"workspace.hooks.{at}_{what}.cwd": "a folder" for at in ("before", "after") for what in ("all", "each")},
    **{f"{where}assertions[].include": "a template" for where in ("", "turns[].")},
}
# What a few values have to look like for a task to come as far as its agent, by a step and the end of their paths.
FORMS = {
    ("hooks", "command"): "sed -n s/{text}//",
    ("hooks", "command", ENTRY): ("sed", "-n", "s/{text}//"),
    ("preprocessors", "command", ENTRY): ("sh", "{text}", "notes.md"),
    ("docker", "memory"): "{number}",
    ("$file", "$file"): "evals/{text}.eval.yaml",
}
# Shapes of a field are planted one after the other; no field has more, those of its parts included.
SHAPES = 16


def value_for(found, number):
    """A value with a mark for a field; None where it can hold none: flags, choices, small numbers, ids of files."""
    kind = found.schema.get("type", "string")
    kinds = {kind} if isinstance(kind, str) else {*kind}
    if {"enum", "const"} & found.schema.keys() or found.schema.get("format") == "uuid" or kinds == {"boolean"}:
        return None
    if kinds & {"integer", "number"}:
        return _number_for(found.schema, kinds, number_of(number))
    if kinds == {"object"}:
        return {f"key {text_of(number)}": {"in": [text_of(number), number_of(number)]}}
    forms = (form for (step, *end), form in FORMS.items() if step in found.path and [*found.path[-len(end) :]] == end)
    form, words = next(forms, "{text}"), {"text": text_of(number), "number": number_of(number)}
    return form.format(**words) if isinstance(form, str) else tuple(part.format(**words) for part in form)


def _number_for(schema, kinds, whole):
    wanted = whole if schema.get("maximum", whole) >= whole else whole / 10**9
    return wanted if ("number" in kinds or wanted == whole) and wanted <= schema.get("maximum", wanted) else None


@dataclass
class Planting:
    """Marks of the fields of one kind of node, by their paths and schemas; of several shapes, one that `turn` says."""

    marks: dict[tuple[tuple[str, ...], int], object]
    turn: int = 0

    def into(self, schema, value, path=()):
        """A value, None where there is none, with the marks of all fields that its schema knows."""
        return self._into(schema, value, path, self.turn)

    def _into(self, schema, value, path, turn):
        if shapes := variants_of(schema):
            return self._into(shapes[turn % len(shapes)], value, path, turn // len(shapes))
        if isinstance(schema.get("x-audience"), dict):
            return self._into_free(schema, value, path)
        if (mark := self.marks.get((path, id(schema)))) is not None:
            return {**value, **mark} if isinstance(mark, dict) and isinstance(value, dict) else mark
        if isinstance(schema.get("items"), dict):
            return self._into_list(schema["items"], value, (*path, ENTRY), turn)
        return self._into_mapping(schema, value, path, turn)

    def _into_free(self, schema, value, path):
        for part in schema["x-audience"]:
            steps = tuple(filter(None, part.split("/")))
            if (mark := self.marks.get(((*path, *steps), id(schema)))) is not None:
                value = _laid(value, steps, mark)
        return value

    def _into_list(self, item, value, path, turn):
        """A list with one more entry for each of the conditions under which its entries have other fields."""
        while shapes := variants_of(item):
            item, turn = shapes[turn % len(shapes)], turn // len(shapes)
        stated = [_stated(rule) for rule in _rules(item)]
        made = [(self._into(item, each, path, turn), each or {}) for each in (None, *stated)]
        entries = [{**entry, **each} if each else entry for entry, each in made if entry is not None and entry != each]
        if not entries:
            return value
        whole = next((list(entry) for entry in entries if isinstance(entry, tuple)), None)
        return whole or [*(value if isinstance(value, list) else ()), *entries]

    def _into_mapping(self, schema, value, path, turn):
        before = value if isinstance(value, dict) else {}
        rules = [rule["then"] for rule in _rules(schema) if _stated(rule).items() <= before.items()]
        found = dict(before)
        for name, part in (pair for each in (schema, *rules) for pair in each.get("properties", {}).items()):
            found[name] = self._into(part, found.get(name), (*path, name), turn)
        if isinstance(schema.get("additionalProperties"), dict):
            found["any"] = self._into(schema["additionalProperties"], None, (*path, NAMED), turn)
        found = {name: part for name, part in found.items() if part is not None}
        if found == before:
            return value
        known = schema.get("properties", {})
        return {**{name: blank(known[name]) for name in schema.get("required", ()) if name in known}, **found}


def _laid(value, steps, mark):
    """A value with a mark at a path that no schema knows."""
    if not steps:
        return mark
    step, *rest = steps
    if step == ENTRY:
        return [*(value if isinstance(value, list) else ()), _laid(None, rest, mark)]
    found = value if isinstance(value, dict) else {}
    return {**found, step: _laid(found.get(step), rest, mark)}


def _rules(schema):
    """The conditions of a schema under which it has other fields; what checks alone ask for is passed over."""
    return [
        rule for rule in schema.get("allOf", ()) if not rule.get("x-formless") and "properties" in rule.get("if", ())
    ]


def _stated(rule):
    """What a value says where a condition of a schema holds."""
    parts = rule["if"]["properties"]
    return {name: part["const"] if "const" in part else part["enum"][0] for name, part in parts.items()}


@dataclass
class Scene:
    """A scene, and packs made from it that together hold a mark in every field in which one can stand.

    Fields are those that agents must not see: the number of the mark of each, its place, and the value that brings it
    in; None where the field can hold no text and no long number.
    """

    base: Pack
    files: dict[str, bytes]
    canaries: Canaries
    fields: dict[int, tuple[str, object]]
    packs: list[Pack]

    def held(self):
        """The numbers of the marks that stand in some pack."""
        written = repr([document for pack in self.packs for _, document in pack.nodes()])
        return {int("".join(found)) for found in MARK.findall(written)} & self.fields.keys()

    def read_asset(self, file):
        """The bytes that a task puts into its workspace."""
        by_key = {asset.key: asset.content for asset in self.base.assets}
        return by_key.get(file.asset_key) if file.asset_key else self.files.get(file.path)


@cache
def scene_of(name):
    """A scene by its name; one that has errors is none."""
    format_name, texts = SCENES[name]
    adapter, canaries = adapter_of(format_name), Canaries()
    files = {canaries.fill(path): canaries.fill(text).encode() for path, text in texts.items()}
    pack, findings = adapter.load(files)
    assert pack is not None, findings
    assert [found for found in (*findings, *adapter.check(pack)) if found.is_error] == []
    scene = Scene(pack, files, canaries, {}, [])
    marks = {kind: _marks(scene, kind, schema) for kind, schema in adapter.SCHEMA.items()}
    for turn in range(SHAPES):
        before = scene.held()
        scene.packs.append(_grown(pack, {kind: Planting(found, turn) for kind, found in marks.items()}))
        if scene.held() == before:
            scene.packs.pop()
    return scene


def _marks(scene, kind, schema):
    """The values with the marks of a kind of node, by the paths and the schemas of their fields."""
    found = {}
    hidden = {(each.path, id(each.trail[-1])): each for each in fields_of(schema) if each.audience != AGENT}
    for key, each in hidden.items():
        path = name_of(each.path)
        number = scene.canaries.of(f"{kind} {path}")
        found[key] = None if path in MUST_EXIST else value_for(each, number)
        scene.fields[number] = (path, found[key])
    return found


def _grown(pack, plantings):
    """A pack in which all nodes hold the marks of their kind."""
    adapter = adapter_of(pack.format)

    def grown(kind, document):
        return plantings[kind].into(adapter.SCHEMA[kind], document)

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
