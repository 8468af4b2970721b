"""Settings against the schema of their kind: what is wrong with them, and what a grader gets of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from packs.formats.findings import Finding, Path, Rule
from packs.formats.kinds import KINDS
from packs.formats.kinds.contract import Kind, Settings
from packs.formats.schema.pieces import Schema
from packs.formats.values import is_number

# The rules of this block hold for several types; a finding carries the id that the specification gives the type.
CONFIG_SHAPE = Rule(
    "challenge_pack.E551", "The config does not fit a {type}: {reason}.", "Known keys: {known}.", "F1-F8, F11-F13"
)
CONFIG_MISSING = Rule("challenge_pack.E552", "A {type} needs a config.", "Add one; known keys: {known}.", "F12, F13")
OUT_OF_RANGE = Rule("challenge_pack.E553", "`{key}` must be between {least} and {most}.", "{advice}", "F1-F11")
NEGATIVE = Rule("challenge_pack.E554", "`{key}` cannot be negative.", "Write 0 or more, or remove it.", "F2, F5")
TOO_SMALL = Rule("challenge_pack.E555", "`{key}` must be {wanted}.", "Raise it, or remove it.", "F2, F6-F8, F11")
CHOICE_UNKNOWN = Rule(
    "challenge_pack.E556", "`{key}` cannot be {value!r}.", "Use one of: {allowed}; or remove it.", "F5-F7, F11"
)


class BadSettings(ValueError):
    """Settings that the pack's author must fix."""


def problems(name: str, config: Any, path: Path) -> Iterator[Finding]:
    """What is wrong with the configuration of a kind of grader; `config` is None where it has none."""
    kind = KINDS[name]
    known = kind.properties
    if config is None:
        found = [CONFIG_MISSING.at(path, type=name, known=", ".join(known))] if kind.needs_settings else []
    elif reason := _misfit(kind, config, known):
        found = [CONFIG_SHAPE.at(path, type=name, reason=reason, known=", ".join(known))]
    else:
        stated = _stated(config, known)
        found = list(kind.check(stated, path))
        # What is wrong with the configuration as a whole makes the parts doubtful.
        if all(finding.path != path for finding in found):
            open_to = {key: value for key, value in stated.items() if key not in kind.own}
            found = [*out_of_bounds(open_to, known, path), *found]
    yield from (replace(finding, rule=kind.rule) for finding in found)


def read(name: str, config: Any) -> Settings:
    """All settings of a grader, the absent ones with their default: empty text, an empty list, or None without one.

    Raises BadSettings for what `problems` reports.
    """
    for finding in problems(name, config, ("config",)):
        raise BadSettings(finding.message)
    known = KINDS[name].properties
    stated = _stated(config or {}, known)
    return {key: _filled(part, stated.get(key)) for key, part in known.items()}


def _misfit(kind: Kind, config: Any, known: dict[str, Schema]) -> str:
    """What is wrong with the shape of a configuration: an unknown key or a wrong type; empty if nothing is."""
    if not isinstance(config, dict):
        return "it is not a mapping"
    for key, value in config.items():
        if key not in known:
            if kind.rule:
                return f"the key {key!r} is unknown"
        elif value is not None and not _fits(known[key], value):
            return f"`{key}` must be {_TYPES[known[key]['type']]}"
    return ""


_TYPES = {
    "string": "text",
    "boolean": "true or false",
    "number": "a number",
    "integer": "a whole number",
    "array": "a list of texts",
}
_TESTS: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": is_number,
    "integer": lambda value: is_number(value) and (isinstance(value, int) or value.is_integer()),
    "array": lambda value: isinstance(value, list) and all(isinstance(item, str | None) for item in value),
}


def _fits(part: Schema, value: Any) -> bool:
    """Whether a value has the type of a setting; what else may stand in a mapping is for the kind to say."""
    test = _TESTS.get(part.get("type", ""))
    return test is None or test(value)


def _stated(config: Settings, known: dict[str, Schema]) -> dict[str, Any]:
    """The settings that say something: a null or an empty text is as good as none, but for settings of any type."""
    stated = {}
    for key, part in known.items():
        value = config.get(key)
        if part.get("x-trimmed") and isinstance(value, str):
            value = value.strip()
        is_stated = key in config and (value is not None or "type" not in part)
        if value not in (None, "") or (part.get("type") not in _TESTS and is_stated):
            stated[key] = value
    return stated


def out_of_bounds(stated: Settings, known: Mapping[str, Schema], path: Path) -> Iterator[Finding]:
    """The settings that are none of their choices, or outside of the limits that their schemas state."""
    for key, value in stated.items():
        part, place = known[key], (*path, key)
        if value not in part.get("enum", (value,)):
            yield CHOICE_UNKNOWN.at(place, key=key, value=value, allowed=", ".join(part["enum"]))
        elif "maximum" in part:
            least, most = part.get("minimum", 0), part["maximum"]
            if not least <= value <= most:
                advice = (
                    "Write a fraction, such as 0.8." if most == 1 else "Write a number in this range, or remove it."
                )
                yield OUT_OF_RANGE.at(place, key=key, least=least, most=most, advice=advice)
        elif "exclusiveMinimum" in part and value <= part["exclusiveMinimum"]:
            yield TOO_SMALL.at(place, key=key, wanted=f"above {part['exclusiveMinimum']}")
        elif "minimum" in part and value < part["minimum"]:
            rule = TOO_SMALL if part["minimum"] else NEGATIVE
            yield rule.at(place, key=key, wanted=f"at least {part['minimum']}")


def _filled(part: Schema, value: Any) -> Any:
    """A setting in the type that graders count on, its default where it is absent."""
    kind = part.get("type", "")
    if value is None:
        return part.get("default", {"string": "", "array": []}.get(kind))
    if kind == "number":
        try:
            return float(value)
        except OverflowError as error:
            raise BadSettings("config holds a number that is too large") from error
    return int(value) if kind == "integer" else value
