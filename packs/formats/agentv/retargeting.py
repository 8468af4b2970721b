"""Targets files in which targets have other names (agentv E.2): written into their texts, so that comments stay."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from packs.formats import yamlio
from packs.formats.agentv.reading import DIALECT, read_yaml
from packs.formats.agentv.targets import is_targets_file, tells_of_judges
from packs.formats.findings import Finding, Path, Severity
from packs.formats.fixing import Act, Fix
from packs.formats.fixing.files import splice
from packs.formats.names.following import Asked, led
from packs.formats.values import listing, mapping

SORTS = frozenset({"targets"})
# What of a target names another one; its own name stands under `name`.
_NAMING = ("use_target", "grader_target", "judge_target")
# Says where a text stands; nobody sees it.
_PLACE = Finding("", Severity.NOTE, (), "")


def is_read(path: str) -> bool:
    """Whether the bytes of a file may name targets; see `FileRenamer.is_read`."""
    return tells_of_judges(path)


def renamed_file(path: str, data: bytes, names: Mapping[str, str]) -> bytes:
    """The bytes of a file in which targets have other names; see `FileRenamer.renamed_file`."""
    if not is_targets_file(path, data):
        return data
    value, found = read_yaml(data, path)
    changes = dict(_changes(value, names))
    if not changes or any(finding.is_error for finding in found):
        return data
    wanted = _changed(value, changes)
    places = yamlio.place_in(data, path, [replace(_PLACE, path=at) for at in changes])
    fixes = [(place, Fix("", {}, Act.SET, place.path, changes[place.path])) for place in places]
    text = splice(data.decode(), fixes).encode()
    return text if read_yaml(text, path)[0] == wanted else yamlio.write(wanted, dialect=DIALECT).encode()


def _changes(value: Any, names: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """What has another name by then: its place, and the text there."""
    at_home = names.at_home() if isinstance(names, Asked) else names
    for index, target in enumerate(map(mapping, listing(mapping(value).get("targets")))):
        for key, known in (("name", at_home), *((key, names) for key in _NAMING)):
            stated = target.get(key)
            if isinstance(stated, str) and (new := led(stated, known)) != stated:
                yield ("targets", index, key), new


def _changed(value: Any, changes: Mapping[Path, str]) -> Any:
    targets = [
        {key: changes.get(("targets", index, key), item) for key, item in target.items()}
        if isinstance(target, dict)
        else target
        for index, target in enumerate(value["targets"])
    ]
    return {**value, "targets": targets}
