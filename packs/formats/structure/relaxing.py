"""What of a schema others refuse: the words that only bring a warning become annotations (`x-advised`)."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from packs.formats.schema.pieces import Schema

_PARTS = ("items", "additionalProperties", "then", "else")
_LISTS = ("oneOf", "anyOf", "allOf")
_UNIONS = ("oneOf", "anyOf")
_ASKING = frozenset(
    {
        "type",
        "enum",
        "const",
        "pattern",
        "not",
        "required",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
    }
)
_NO_VALUES = ("type", "required", "additionalProperties")
_TYPES = ("string", "number", "boolean", "object", "array", "null")


def rule_name(part: Schema, word: str, key: str = "") -> str | None:
    """By which rule a part says that a word of it is broken, for `required` by which key; None where it names none.

    `x-rules` is a name for all words, or a mapping from words to names, with `any` for the others; of `required` also
    from keys to names. A name for `value` stands for all words but those about types and keys. `missing` is about a
    value that is not there, or null.
    """
    rules = part.get("x-rules", {})
    if isinstance(rules, str):
        return rules if word != "missing" else None
    words = (word, *(("value",) if word not in _NO_VALUES else ()), *(("any",) if word != "missing" else ()))
    named = next((rules[each] for each in words if each in rules), None)
    found: str | None = named.get(key) if isinstance(named, Mapping) else named
    return found


def rule_names(part: Any) -> frozenset[str]:
    """The names of all rules that a schema names."""
    if isinstance(part, list):
        return frozenset().union(*map(rule_names, part))
    if not isinstance(part, Mapping):
        return frozenset()
    found = frozenset().union(*(rule_names(value) for word, value in part.items() if word != "x-rules"))
    return found | frozenset(_leaves(part.get("x-rules", {})))


def _leaves(rules: Any) -> Iterator[str]:
    if isinstance(rules, str):
        yield rules
    else:
        for value in rules.values():
            yield from _leaves(value)


def relaxed(part: Schema, refused: Collection[str]) -> Schema:
    """A part that asks only for that of which a rule of `refused` is named; what else it asks for is an annotation."""
    return _relaxed(part, refused, is_variant=False)


def _relaxed(part: Schema, refused: Collection[str], *, is_variant: bool) -> Schema:
    found: Schema = {}
    advised: Schema = {}
    for word, value in part.items():
        if word == "required":
            kept = [key for key in value if rule_name(part, word, key) in refused]
            found |= {word: kept} if kept else {}
            advised |= {word: value} if len(kept) < len(value) else {}
        elif word in _ASKING and rule_name(part, word) not in refused and not (is_variant and word == "type"):
            advised[word] = value
        elif word in _UNIONS:
            found["anyOf"] = list(_variants(part, value, refused))
        else:
            found[word] = _below(word, value, refused)
    if "enum" in advised:
        # Editors still offer the values.
        found.setdefault("examples", advised["enum"])
    return {**found, "x-advised": advised} if advised else found


def _below(word: str, value: Any, refused: Collection[str]) -> Any:
    if word == "properties":
        return {name: relaxed(part, refused) for name, part in value.items()}
    if word in _PARTS and isinstance(value, Mapping):
        return relaxed(dict(value), refused)
    if word in _LISTS:
        return [relaxed(each, refused) for each in value]
    return value


def _variants(part: Schema, variants: list[Schema], refused: Collection[str]) -> Iterator[Schema]:
    """The variants, which differ by their types; any other type too where no rule refuses it."""
    yield from (_relaxed(each, refused, is_variant=True) for each in variants)
    if rule_name(part, "type") not in refused:
        known = {each["type"] for each in variants}
        yield {"type": [name for name in _TYPES if name not in known]}
