"""What an author may have meant: edits that the schema at a place and the declared names suggest."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from packs.formats.advice import closest
from packs.formats.document import Document
from packs.formats.findings import Finding, Path
from packs.formats.fixing.fix import Act, Fix
from packs.formats.structure.model import Schema, fields_of, types_of, variants_of

_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
# What the hints of some rules say that a name should be.
_ADVISED = re.compile(r"(?:Write|Did you mean) `?([\w$-]+)`?[.?]")


def of_keys(document: Document, finding: Finding, holder: Document, fields: Mapping[str, Schema]) -> Iterator[Fix]:
    """What to do with the key at which a finding stands: another name, a value where it is missing, or no key."""
    home, key = finding.path[:-1], str(finding.path[-1])
    if key not in holder:
        for other in alike(key, [name for name in holder if name not in fields]):
            yield _renaming(document, home, other, key)
        for value in _prescribed(fields.get(key, {})):
            added = put_at(document, home, {**holder, key: value})
            yield Fix(f"Add {key}: {shown(value)}", added, Act.ADD, finding.path, value)
    elif key not in fields:
        free = [name for name in fields if name not in holder]
        # A new name is not always like the old one; the hint says it.
        advised = [name for name in _ADVISED.findall(finding.hint) if name in free]
        for other in advised or alike(key, free):
            yield _renaming(document, home, key, other)
    elif holder[key] is None:
        others = {name: value for name, value in holder.items() if name != key}
        yield Fix(f"Remove the empty {key}", put_at(document, home, others), Act.REMOVE, finding.path)


def of_inner_keys(document: Document, path: Path, value: Document, fields: Mapping[str, Schema]) -> Iterator[Fix]:
    """Other names for the keys of a mapping that nothing knows."""
    free = [name for name in fields if name not in value]
    for key in value:
        if key not in fields:
            yield from (_renaming(document, path, key, other) for other in alike(key, free))


def _renaming(document: Document, home: Path, old: str, new: str) -> Fix:
    renamed = {new if key == old else key: value for key, value in at(document, home).items()}
    return Fix(f"Rename {old} to {new}", put_at(document, home, renamed), Act.RENAME, (*home, old), new)


def _prescribed(schema: Schema) -> Iterator[Any]:
    """What a field must be, or is where nothing else is said."""
    if "const" in schema:
        yield schema["const"]
    if "default" in schema:
        yield schema["default"]
    if len(schema.get("enum", ())) == 1:
        yield schema["enum"][0]


def setting(path: Path, old: Any, new: Any) -> str:
    """What a fix does that sets a value, in words."""
    name = next((step for step in reversed(path) if isinstance(step, str)), "it")
    return f"Make {name} a list of one" if new == [old] else f"Change {name} to {shown(new)}"


def converted(value: Any, schema: Schema) -> Iterator[Any]:
    """A value as the types of a schema, where that loses nothing."""
    for name in types_of(schema):
        yield from _CONVERSIONS.get(name, _nothing)(value)
    if "array" in types_of(schema) and value is not None and not isinstance(value, list):
        yield [value]


def _nothing(_: Any) -> Iterator[Any]:
    return iter(())


def _as_text(value: Any) -> Iterator[str]:
    if isinstance(value, bool):
        yield str(value).lower()
    elif isinstance(value, int | float):
        yield str(value)
    elif isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        yield value[0]


def _as_whole(value: Any) -> Iterator[int]:
    for number in _as_number(value):
        if isinstance(number, int) or number.is_integer():
            yield int(number)


def _as_number(value: Any) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, str) and re.fullmatch(r"\s*[-+]?\d{1,15}\s*", value, re.ASCII):
        yield int(value)
    elif isinstance(value, str) and re.fullmatch(r"\s*[-+]?\d{1,15}\.\d{1,15}\s*", value, re.ASCII):
        yield float(value)


def _as_flag(value: Any) -> Iterator[bool]:
    if isinstance(value, str) and value.strip().lower() in _FLAGS:
        yield _FLAGS[value.strip().lower()]


_CONVERSIONS: Mapping[str, Callable[[Any], Iterator[Any]]] = {
    "string": _as_text,
    "integer": _as_whole,
    "number": _as_number,
    "boolean": _as_flag,
}


def options_of(schema: Schema) -> tuple[str, ...]:
    options = (*schema.get("enum", ()), *((schema["const"],) if "const" in schema else ()), *schema.get("examples", ()))
    return tuple(option for option in options if isinstance(option, str))


def alike(name: str, known: Iterable[str]) -> Iterator[str]:
    """The known name that is most like another one; the same name in other letters comes first."""
    others = tuple(other for other in dict.fromkeys(known) if other != name)
    same = [other for other in others if other.casefold().strip() == name.casefold().strip()]
    close = closest(name, others)
    yield from dict.fromkeys([*same, *([close] if close else [])])


def fields_with_variants(schema: Schema, holder: Document) -> Mapping[str, Schema]:
    """The known fields of an object; those of all its variants, where it has some, with all that may stand there."""
    found: dict[str, Schema] = dict(fields_of(schema, holder))
    for variant in variants_of(schema):
        for name, part in fields_of(variant, holder).items():
            found[name] = {"anyOf": [found[name], part]} if name in found else part
    return found


def at(value: Any, path: Path) -> Any:
    for step in path:
        if not stands(value, step):
            return None
        value = value[step]
    return value


def stands(holder: Any, step: str | int) -> bool:
    if isinstance(holder, dict):
        return step in holder
    return isinstance(holder, list) and isinstance(step, int) and 0 <= step < len(holder)


def put_at(value: Any, path: Path, new: Any) -> Any:
    """A value with something else at a path; nothing is changed in place."""
    if not path:
        return new
    inner = put_at(value[path[0]], path[1:], new)
    if isinstance(value, dict):
        return {**value, path[0]: inner}
    return [inner if index == path[0] else item for index, item in enumerate(value)]


def shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"
