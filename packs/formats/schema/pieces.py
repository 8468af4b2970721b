"""The words in which formats write their schemas: one small function per shape of value.

`x-keep` marks an optional value whose presence means something even when it is empty, 0 or false; forms leave out all
other empty values of optional fields. `x-widget` is a hint for forms. `x-declares` says what the items of a list or
mapping are that a text elsewhere names by `x-picks` (`packs.formats.names`), `x-named` under which field its items
state their names (`key` where it says nothing), `x-known` names that are there though no item states them, and
`x-start` what a new item of it has. `x-inherits` says where in the
pack's document the value stands that counts where this one is absent. `x-effect` says whether a field is `operational`,
so that it changes runs, or `informational`; forms show it as a word. `x-audience` says who may see what it holds
(`packs.formats.audience`). `x-open` says of an optional field whether forms offer it at once (true) or among the
further fields (false) while it is absent; where it is false, items of a list are folded unless they have problems.
`x-rules` names the rules by which the check reports what breaks a part
(`rule` is short for the one about its value), `x-unknown` the one about keys that nobody reads, and `x-expected` says
what its value must be as a whole (`packs.formats.structure`). Conditions with `x-formless` are not for forms; `x-form`
is how forms show a value of which readers take any content.

What readers take beyond the words of JSON Schema, so that the published schema takes it too
(`packs.formats.structure.published`): `x-absent` lists the values that stand for an absent field, for all optional
fields of a node. An empty text does so for choices alone, and then texts that may not be empty may not be blank either.
`x-null` says of one field whether null does; `x-trimmed` that blanks around a text do not count, and `x-caseless` that
capitals do not.
"""

from collections.abc import Mapping
from typing import Any

from packs.formats.values import LARGEST_WHOLE

Schema = dict[str, Any]

INT32_MAX, INT64_MAX = 2**31 - 1, 2**63 - 1
# Marks a condition that names no fields of its own: checks ask for it, and nothing else reads it.
FORMLESS = "x-formless"
# By which rule a key is reported that nobody reads, though readers keep it.
UNKNOWN = "x-unknown"
# Marks a part of which readers take anything; what it asks for is advice.
LENIENT = "x-lenient"
AGENT, STUDIO, UNASKED = "agent", "studio", "unasked"


def text(title: str, description: str = "", **more: Any) -> Schema:
    """A text; `more` are further JSON Schema keywords (`widget` and `keep` become their `x-` spelling)."""
    return _finish({"type": "string", "title": title, "description": description}, more)


def choice(title: str, options: Mapping[str, str], description: str = "", **more: Any) -> Schema:
    """A text out of a closed list; the options map each value to its words on screen."""
    more = {"enum": list(options), "x-labels": dict(options), **more}
    return text(title, description, **more)


def long_text(title: str, description: str = "", **more: Any) -> Schema:
    return text(title, description, widget="textarea", **more)


def yes_no(title: str, description: str = "", **more: Any) -> Schema:
    return _finish({"type": "boolean", "title": title, "description": description}, more)


def integer(title: str, description: str = "", **more: Any) -> Schema:
    return _finish({"type": "integer", "title": title, "description": description}, more)


def count(title: str, description: str = "", least: int = 1, **more: Any) -> Schema:
    """A whole number that counts something."""
    return integer(title, description, minimum=least, maximum=LARGEST_WHOLE, **more)


def number(title: str, description: str = "", **more: Any) -> Schema:
    return _finish({"type": "number", "title": title, "description": description}, more)


def share(title: str, description: str = "", **more: Any) -> Schema:
    """A number from 0 to 1."""
    return number(title, description, minimum=0, maximum=1, **more)


def anything(title: str, description: str = "", **more: Any) -> Schema:
    return _finish({"title": title, "description": description}, more)


def free_map(title: str, description: str = "", **more: Any) -> Schema:
    """A mapping with any content, kept exactly as written."""
    return _finish({"type": "object", "title": title, "description": description, "x-widget": "json"}, more)


def items(title: str, item: Schema, description: str = "", **more: Any) -> Schema:
    return _finish({"type": "array", "title": title, "description": description, "items": item}, more)


def texts(title: str, description: str = "", item: Schema | None = None, **more: Any) -> Schema:
    return items(title, item or {"type": "string"}, description, **more)


def command(title: str, description: str = "") -> Schema:
    """A line for the shell, or a program and its arguments."""
    listed = items("Program and arguments", text("Part", pattern=r"\S"), minItems=1)
    more = {"oneOf": [text("Shell line", pattern=r"\S"), listed]}
    return anything(title, description, expected="a shell line, or a list of texts that is not empty", **more)


def mapping(title: str, value: Schema, description: str = "", **more: Any) -> Schema:
    """A mapping from names that the author chooses to values of one shape."""
    return _finish({"type": "object", "title": title, "description": description, "additionalProperties": value}, more)


def distinguished(
    properties: Mapping[str, Schema], *informational: str, without: tuple[str, ...] = ()
) -> dict[str, Schema]:
    """Fields that say whether they change runs: those named are informational, the others operational.

    Those of `without` say neither.
    """
    return {
        name: part
        if name in without
        else {**part, "x-effect": "informational" if name in informational else "operational"}
        for name, part in properties.items()
    }


def audiences(
    properties: Mapping[str, Schema], *, agent: tuple[str, ...] = (), studio: tuple[str, ...] = ()
) -> dict[str, Schema]:
    """Fields that say who may see them. Those that are named nowhere leave it to what they hold."""
    stated = dict.fromkeys(agent, AGENT) | dict.fromkeys(studio, STUDIO)
    return {name: {**part, "x-audience": stated[name]} if name in stated else part for name, part in properties.items()}


def block(title: str, properties: Mapping[str, Schema], description: str = "", **more: Any) -> Schema:
    """A mapping with known fields, in canonical order; unknown keys are kept."""
    found = {"type": "object", "title": title, "description": description, "properties": dict(properties)}
    return _finish(found, more)


def strict(title: str, properties: Mapping[str, Schema], description: str = "", **more: Any) -> Schema:
    """A mapping that refuses unknown keys."""
    return block(title, properties, description, additionalProperties=False, **more)


def asking(condition: Schema, then: Schema | None = None, otherwise: Schema | None = None) -> Schema:
    """What a value must be under a condition; checks alone ask for it, and forms show the same fields either way."""
    found = {"if": condition, "then": then, "else": otherwise, FORMLESS: True}
    return {word: value for word, value in found.items() if value is not None}


def ruled(fields: Mapping[str, Schema], name: str, **words: str) -> dict[str, Schema]:
    """Fields that one rule reports, with all that they hold; words that name rules of their own keep them.

    `words` are words of the schema that other rules report.
    """
    return {key: _ruled(part, {"any": name, **words}) for key, part in fields.items()}


def _ruled(part: Schema, rules: Mapping[str, str]) -> Schema:
    stated = part.get("x-rules", {})
    found = {**part, "x-rules": stated if isinstance(stated, str) else {**rules, **stated}}
    for word in ("properties", "patternProperties"):
        found |= {word: {name: _ruled(each, rules) for name, each in part[word].items()}} if word in part else {}
    found |= {word: [_ruled(each, rules) for each in part[word]] for word in ("oneOf",) if word in part}
    return found | {word: _ruled(part[word], rules) for word in ("items", "additionalProperties") if part.get(word)}


def keeping(part: Schema, name: str) -> Schema:
    """A schema whose mappings keep unknown keys, at all depths; the rule reports them."""
    found = dict(part)
    if "properties" in part:
        found = {UNKNOWN: name, **part} if "additionalProperties" not in part else found
        found["properties"] = {key: keeping(each, name) for key, each in part["properties"].items()}
    found |= {"oneOf": [keeping(each, name) for each in part["oneOf"]]} if "oneOf" in part else {}
    return found | {word: keeping(part[word], name) for word in ("items", "additionalProperties") if part.get(word)}


def says(name: str, *values: str, **more: Any) -> Schema:
    """The condition that a field is one of these texts, or any that is not blank."""
    stated = {"enum": [*values]} if values else {"pattern": r"\S"}
    return {"type": "object", "properties": {name: text("", **stated, **more)}, "required": [name]}


def given(name: str) -> Schema:
    """The condition that a field is there."""
    return {"type": "object", "properties": {name: {"not": {"type": "null"}}}, "required": [name]}


def must_say(name: str, rule: str, **more: Any) -> Schema:
    """What a value asks of one of its fields under a condition: that it is there, and a text that is not blank."""
    stated = more or {"type": "string", "pattern": r"\S"}
    field = {**stated, "x-rules": rule}
    return {"properties": {name: field}, "required": [name], "x-rules": {"required": {name: rule}}}


def never(name: str, rule: str) -> Schema:
    """What a value asks under a condition: that a field says nothing."""
    return {"properties": {name: {"type": ["null", "string"], "not": {"pattern": r"\S"}, "x-rules": rule}}}


def renamed(names: Mapping[str, str], rule: str) -> Schema:
    """Old names of fields: a rule reports each with the new one as what is expected. Forms offer none."""
    fields = {name: {"not": {}, "x-rules": rule, "x-expected": better} for name, better in names.items()}
    return respelt(fields)


def respelt(fields: Mapping[str, Schema]) -> Schema:
    """Fields by other spellings, which readers know and forms do not offer."""
    return {"properties": dict(fields), FORMLESS: True}


_OWN_WORDS = frozenset(
    {
        "declares",
        "form",
        "named",
        "start",
        "widget",
        "keep",
        "known",
        "open",
        "picks",
        "inherits",
        "effect",
        "audience",
        "trimmed",
        "caseless",
        "null",
        "rules",
        "expected",
        "unknown",
    }
)


def _finish(schema: Schema, more: Mapping[str, Any]) -> Schema:
    for name, value in more.items():
        if name == "rule":
            schema["x-rules"] = {"value": value, **more.get("rules", {})}
        elif name != "rules" or "rule" not in more:
            schema[f"x-{name}" if name in _OWN_WORDS else name] = value
    return {name: value for name, value in schema.items() if value != ""}
