"""What a form needs to know of a JSON Schema: types, fields, variants and the conditions between siblings."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from packs.formats.findings import from_pointer, index_of
from packs.formats.schema.pieces import FORMLESS

Schema = Mapping[str, Any]
Join = Callable[[Schema, Schema], Schema]

# The schema of a value about which nothing is said.
ANYTHING: Schema = {}

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}


def types_of(schema: Schema) -> tuple[str, ...]:
    """The types that a schema names; empty when it names none."""
    named = schema.get("type", ())
    return (named,) if isinstance(named, str) else tuple(named)


def has_type(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES.get(name, ()))


def matches(schema: Schema, value: Any) -> bool:
    """Whether a value has the outer shape that a schema asks for, so that its widget can show it.

    Deeper trouble does not count: the value's own fields show it.
    """
    if "const" in schema:
        return bool(schema["const"] == value and type(schema["const"]) is type(value))
    named = types_of(schema)
    return not named or any(has_type(value, name) for name in named)


def fields_of(schema: Schema, value: Any) -> dict[str, Schema]:
    """The known fields of an object, those that hold only under a condition on its present value included."""
    return _joined(schema, _branches(schema, value), _over)


def fields_of_any(schema: Schema) -> dict[str, Schema]:
    """The known fields of an object under whichever condition; of one field's schemas the objects are put together."""
    return _joined(schema, (rule.get(name, {}) for rule in _conditions(schema) for name in ("then", "else")), _together)


def _joined(schema: Schema, branches: Iterable[Schema], join: Join) -> dict[str, Schema]:
    fields: dict[str, Schema] = dict(schema.get("properties", {}))
    for branch in branches:
        for name, more in branch.get("properties", {}).items():
            fields[name] = join(fields[name], more) if name in fields else more
    return fields


def _over(one: Schema, more: Schema) -> Schema:
    return {**one, **more}


def _together(one: Schema, other: Schema) -> Schema:
    properties = {**other.get("properties", {}), **one.get("properties", {})}
    return {**other, **one, **({"properties": properties} if properties else {})}


def required_of(schema: Schema, value: Any) -> frozenset[str]:
    """The fields that must be there, given the object's present value."""
    named = set(schema.get("required", ()))
    for branch in _branches(schema, value):
        named.update(branch.get("required", ()))
    return frozenset(named)


def governors(schema: Schema) -> frozenset[str]:
    """The fields on which the schema of their siblings depends: when they change, the whole object is drawn anew."""
    return frozenset(name for rule in _conditions(schema) for name in rule["if"].get("properties", {}))


def for_forms(schema: Schema) -> Schema:
    """A schema with the parts that only forms know (`x-form`) in their places."""
    properties = {
        name: for_forms({**part, **part.get("x-form", {})}) for name, part in schema.get("properties", {}).items()
    }
    return {**schema, "properties": properties} if properties else schema


def inheriting(schema: Schema, document: Any, shared: Any) -> Schema:
    """The schema of a document that leaves some fields to the pack's own document, `shared`.

    A field with `x-inherits`, a JSON Pointer into `shared`, counts as having that value where the document leaves it
    out: what depends on it is then part of the schema itself.
    """
    assumed = {}
    for name, field in schema.get("properties", {}).items():
        if "x-inherits" in field and isinstance(document, dict) and document.get(name) is None:
            assumed[name] = _reach(shared, field["x-inherits"])
    if not assumed:
        return schema
    known = {name: value for name, value in assumed.items() if value is not None}
    fields = _joined(schema, _branches(schema, known), _over)
    return {**schema, "properties": fields, "required": sorted(required_of(schema, known))}


def _reach(value: Any, pointer: str) -> Any:
    for step in from_pointer(pointer):
        value = _value_below(value, step)
    return value


def variants_of(schema: Schema) -> tuple[Schema, ...]:
    return tuple(schema.get("oneOf") or schema.get("anyOf") or ())


def variant_of(schema: Schema, value: Any) -> int:
    """The index of the variant that a value is shown as; 0 when it fits none."""
    variants = variants_of(schema)
    fitting = [index for index, variant in enumerate(variants) if _suits(variant, value)]
    loose = [index for index, variant in enumerate(variants) if matches(variant, value)]
    return (fitting or loose or [0])[0]


def schema_at(schema: Schema, document: Any, pointer: str) -> Schema:
    """The schema of the value at a pointer, following the document's own choice of variants and conditions."""
    part, value = schema, document
    for step in from_pointer(pointer):
        if variants_of(part):
            part = variants_of(part)[variant_of(part, value)]
        part = _step_into(part, value, step)
        value = _value_below(value, step)
    return part


def leaf_at(schema: Schema, document: Any, pointer: str) -> Schema:
    """The schema of the value at a pointer, of its variants the one that the value is shown as."""
    part = schema_at(schema, document, pointer)
    value = document
    for step in from_pointer(pointer):
        value = _value_below(value, step)
    return {**part, **variants_of(part)[variant_of(part, value)]} if variants_of(part) else part


def _step_into(schema: Schema, value: Any, step: str) -> Schema:
    if isinstance(value, list) or (types_of(schema) == ("array",) and not isinstance(value, dict)):
        found = schema.get("items", ANYTHING)
    else:
        more = schema.get("additionalProperties")
        found = fields_of(schema, value).get(step, more)
    return found if isinstance(found, Mapping) else ANYTHING


def _value_below(value: Any, step: str) -> Any:
    if isinstance(value, dict):
        return value.get(step)
    index = index_of(step)
    if isinstance(value, list) and index is not None and index < len(value):
        return value[index]
    return None


def required_text(schema: Schema) -> str:
    """The first required field that holds a text; empty when there is none."""
    properties = schema.get("properties", {})
    return next((name for name in schema.get("required", ()) if "string" in types_of(properties.get(name, {}))), "")


def blank(schema: Schema) -> Any:
    """A new value of this shape: only what the schema itself prescribes is filled in.

    Of variants the last one whose blank nobody can take for an answer, as a 0 could be.
    """
    if "const" in schema:
        return schema["const"]
    if variants_of(schema):
        blanks = [blank(variant) for variant in reversed(variants_of(schema))]
        return next((value for value in blanks if not isinstance(value, int | float)), blanks[0])
    kind = (types_of(schema) or ("string",))[0]
    if kind == "object":
        return _blank_object(schema)
    if "default" in schema:
        return schema["default"]
    if schema.get("enum"):
        return schema["enum"][0]
    return {"array": [], "integer": 0, "number": 0, "boolean": False, "null": None}.get(kind, "")


def _blank_object(schema: Schema) -> dict[str, Any]:
    properties = schema.get("properties", {})
    wanted = [name for name in properties if name in schema.get("required", ())]
    return {name: blank(properties[name]) for name in wanted if {"const", "default"} & set(properties[name])}


def _suits(schema: Schema, value: Any) -> bool:
    """Whether a value looks made for a variant: its outer shape, its constants and its required fields."""
    if not matches(schema, value):
        return False
    if not isinstance(value, dict):
        return True
    fixed = {name: field for name, field in schema.get("properties", {}).items() if "const" in field}
    if any(name in value and not matches(field, value[name]) for name, field in fixed.items()):
        return False
    return all(name in value for name in schema.get("required", ()))


def _conditions(schema: Schema) -> list[Schema]:
    rules = [*schema.get("allOf", ()), *([schema] if "if" in schema else ())]
    return [rule for rule in rules if "if" in rule and FORMLESS not in rule]


def _branches(schema: Schema, value: Any) -> Iterator[Schema]:
    for rule in _conditions(schema):
        yield rule.get("then" if _holds(rule["if"], value) else "else", {})


def _holds(condition: Schema, value: Any) -> bool:
    """Whether a condition on constants and lists of constants holds: the only ones that forms follow."""
    if not isinstance(value, dict) or not all(name in value for name in condition.get("required", ())):
        return False
    return all(
        name in value and _is_one_of(value[name], field) for name, field in condition.get("properties", {}).items()
    )


def _is_one_of(value: Any, field: Schema) -> bool:
    if "const" in field:
        return bool(field["const"] == value)
    return value in field.get("enum", (value,))
