"""Reading and changing JSON values at a JSON Pointer (RFC 6901). Changes make new values; the old ones stay whole."""

from collections.abc import Sequence
from typing import Any

from packs.editing.values import ABSENT, EditRefused
from packs.formats import jsonio, yamlio
from packs.formats.findings import Finding, Path, render_path

Steps = Sequence[str]

# How deep a value of a document can be nested: what a file can hold, less the levels above a document.
MAX_DEPTH = yamlio.MAX_DEPTH - 8


def require_json(value: Any) -> None:
    """Hold a value to what a file of a pack can say; see `storable`."""
    storable(value)


def storable(value: Any) -> tuple[Any, list[Finding]]:
    """A value as a file of a pack can say it, and what had to change for that: numbers beyond 64 bits lose digits.

    Raises EditRefused (bad_value) for numbers that are not finite, texts that are not Unicode and nesting beyond
    MAX_DEPTH.
    """
    if _is_deeper(value, MAX_DEPTH):
        raise EditRefused("bad_value", f"Values can be nested {MAX_DEPTH} deep at most.")
    found, noticed = jsonio.storable(value)
    for finding in noticed:
        if finding.is_error:
            place = f" ({render_path(finding.path)})" if finding.path else ""
            raise EditRefused("bad_value", f"{finding.message}{place}")
    return found, noticed


def _is_deeper(value: Any, depth: int) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth < 0 or any(_is_deeper(part, depth - 1) for part in parts)


def path_in(document: Any, steps: Steps) -> Path:
    """The steps as the path of a finding, in which places in lists are numbers."""
    path: Path = ()
    for step in steps:
        path = (*path, int(step) if isinstance(document, list) and step.isdecimal() else step)
        document = value_at(document, (step,))
    return path


def list_index(items: list[Any], step: str) -> int | None:
    """The index that a step names in a list, the end of the list included; None if it names none."""
    if step == "-":
        return len(items)
    if not (step.isascii() and step.isdigit()) or (step[0] == "0" and step != "0"):
        return None
    index = int(step) if len(step) < 10 else len(items) + 1
    return index if index <= len(items) else None


def value_at(value: Any, steps: Steps) -> Any:
    """What stands at the end of the steps; ABSENT when they lead nowhere."""
    for step in steps:
        if isinstance(value, dict):
            value = value.get(step, ABSENT)
        elif isinstance(value, list):
            index = list_index(value, step)
            value = value[index] if index is not None and index < len(value) else ABSENT
        else:
            return ABSENT
    return value


def replaced(value: Any, steps: Steps, new: Any, *, insert: bool = False, index: int | None = None) -> Any:
    """A value in which `new` stands at the end of the steps; ABSENT removes what stands there.

    Raises EditRefused (bad_pointer) when the way to the last step does not exist.
    """
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict):
        return _in_mapping(value, step, rest, new, insert, index)
    if isinstance(value, list):
        return _in_list(value, step, rest, new, insert, index)
    raise EditRefused("bad_pointer", f"There is no list or mapping to hold {step!r}.")


def _in_mapping(value: dict[str, Any], step: str, rest: Steps, new: Any, insert: bool, index: int | None) -> Any:
    if rest:
        if step not in value:
            raise EditRefused("bad_pointer", f"There is no key {step!r}.")
        return value | {step: replaced(value[step], rest, new, insert=insert, index=index)}
    if new is ABSENT:
        return {key: item for key, item in value.items() if key != step}
    if step in value or index is None:
        return value | {step: new}
    items = list(value.items())
    items.insert(index, (step, new))
    return dict(items)


def _in_list(value: list[Any], step: str, rest: Steps, new: Any, insert: bool, index: int | None) -> Any:
    at = list_index(value, step)
    beyond = at is not None and at == len(value)
    if at is None or (beyond and (rest or new is ABSENT)):
        raise EditRefused("bad_pointer", f"The list has {len(value)} elements and none at {step!r}.")
    if rest:
        inner = replaced(value[at], rest, new, insert=insert, index=index)
        return [*value[:at], inner, *value[at + 1 :]]
    if new is ABSENT:
        return [*value[:at], *value[at + 1 :]]
    return [*value[:at], new, *value[at if insert or beyond else at + 1 :]]
