"""Documents in which declared names, and all that refers to them, are others: what every schema says by itself.

Formats add what a schema cannot say, such as templates and paths of files (`Adapter.renamed`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from packs.formats.names.declaring import in_form, named_by, sorts_in
from packs.formats.schema.picks import SLOT, patterns_of
from packs.formats.structure.model import ANYTHING, Schema, fields_of, variant_of, variants_of

Names = Mapping[str, str]


class Asked(Mapping[str, str]):
    """Old and new names that count how often each is looked up: the places at which something declares or names it.

    `homes` counts those that declare it.
    """

    def __init__(self, names: Names, used: Counter[str] | None = None) -> None:
        self.names = names
        self.used: Counter[str] = Counter() if used is None else used
        self.homes: Counter[str] = Counter()

    @property
    def places(self) -> int:
        return self.used.total()

    def at_home(self) -> "Asked":
        """The same names, for a place that declares one."""
        return _AtHome(self)

    def __getitem__(self, key: str) -> str:
        new = self.names[key]
        self.used[key] += 1
        return new

    def __contains__(self, key: object) -> bool:
        return key in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


class _AtHome(Asked):
    def __init__(self, asked: Asked) -> None:
        super().__init__(asked.names, asked.used)
        self.homes = asked.homes

    def __getitem__(self, key: str) -> str:
        new = super().__getitem__(key)
        self.homes[key] += 1
        return new


# What schemas have to do with, by their ids; each stands beside its schema, so that no other can get its id.
_known: dict[int, tuple[Schema, frozenset[str]]] = {}
_MOST_KNOWN = 10_000


def _sorts_of(schema: Schema) -> frozenset[str]:
    """What the values of a schema can declare or name."""
    found = _known.get(id(schema))
    if found is None:
        if len(_known) > _MOST_KNOWN:
            _known.clear()
        found = _known[id(schema)] = (schema, sorts_in(schema) | _declared_in(schema))
    return found[1]


def _declared_in(schema: Any) -> frozenset[str]:
    if isinstance(schema, list):
        return frozenset().union(*map(_declared_in, schema))
    if not isinstance(schema, dict):
        return frozenset()
    here = {schema["x-declares"]} if isinstance(schema.get("x-declares"), str) else set()
    return frozenset(here).union(*map(_declared_in, schema.values()))


def followed(schema: Schema, value: Any, sort: str, names: Names) -> Any:
    """A value of a schema in which the names of a sort are others, where it declares them and where it picks them."""
    if sort not in _sorts_of(schema):
        return value
    schema = in_form(schema)
    part = variants_of(schema)[variant_of(schema, value)] if variants_of(schema) else schema
    home = next((each for each in (schema, part) if each.get("x-declares") == sort), None)
    if isinstance(value, str):
        return _text(part if "x-picks" in part else schema, value, sort, names)
    if isinstance(value, list):
        found = [followed(part.get("items", ANYTHING), item, sort, names) for item in value]
        if home is not None:
            found = [_declaring(item, named_by(home), names) for item in found]
        return found if any(new is not old for new, old in zip(found, value, strict=True)) else value
    return _mapping(part, value, sort, names, is_home=home is not None) if isinstance(value, dict) else value


def _declaring(item: Any, named: str, names: Names) -> Any:
    """An item of a list that declares names."""
    if isinstance(item, str):
        return led(item, _at_home(names))
    if isinstance(item, dict) and isinstance(item.get(named), str):
        key = led(item[named], _at_home(names))
        return item if key is item[named] else {**item, named: key}
    return item


def _at_home(names: Names) -> Names:
    return names.at_home() if isinstance(names, Asked) else names


def _mapping(schema: Schema, value: dict[str, Any], sort: str, names: Names, *, is_home: bool) -> dict[str, Any]:
    fields, more = fields_of(schema, value), schema.get("additionalProperties")
    others = more if isinstance(more, Mapping) else ANYTHING
    keys, found = schema.get("propertyNames", ANYTHING), {}
    for key, item in value.items():
        new = led(key, _at_home(names)) if is_home else _text(keys, key, sort, names) if keys else key
        found[new] = followed(fields.get(key, others), item, sort, names)
    is_same = len(found) == len(value) and all(found.get(key, found) is item for key, item in value.items())
    # Two keys that become one would lose a value.
    return value if is_same or len(found) < len(value) else found


def in_template(placeholder: re.Pattern[str], text: str, names: Names) -> str:
    """A template whose placeholders have other names; `placeholder` captures a name, with what follows behind a dot."""

    def other(match: re.Match[str]) -> str:
        name, dot, rest = match[1].partition(".")
        return match[0].replace(match[1], f"{names[name]}{dot}{rest}") if name in names else match[0]

    return placeholder.sub(other, text)


def led(text: str, names: Names, *, is_path: bool = False) -> str:
    """A text that is a name, with the new one; blanks around it stay. With `is_path` more may follow behind a dot."""
    start = len(text) - len(text.lstrip())
    ends = [len(text.rstrip())]
    if is_path:
        # A key may hold dots itself: the longest name that is known counts.
        ends += [at for at in range(len(text) - 1, start, -1) if text[at] == "."]
    for end in ends:
        name = text[start:end].rstrip()
        if name in names:
            return f"{text[:start]}{names[name]}{text[start + len(name) :]}"
    return text


def _text(schema: Schema, text: str, sort: str, names: Names) -> str:
    """A text that names one of the sort, as one of the schema's patterns says."""
    for pattern in patterns_of(schema):
        slot = SLOT.search(pattern)
        if slot is None or slot[1] != sort:
            continue
        before = pattern[: slot.start()]
        own = text.lstrip()
        if own.startswith(before):
            home = text[: len(text) - len(own)] + before
            rest = own[len(before) :]
            new = led(rest, names, is_path=before.endswith("."))
            if new is not rest:
                return home + new
    return text
