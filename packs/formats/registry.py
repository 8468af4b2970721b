"""Plug-ins by name, each imported when it is first asked for, so that a process pays only for what it uses."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

Entry = TypeVar("Entry")


class Registry(Mapping[str, Entry]):
    """Names, each with the place of its entry below a package: `module`, or `module:name` for what stands in it.

    Asking for the names imports nothing. An entry that is not there raises ImportError or AttributeError.
    """

    def __init__(self, package: str, places: Mapping[str, str]) -> None:
        self._package, self._places = package, dict(places)
        self._loaded: dict[str, Entry] = {}

    def __getitem__(self, name: str) -> Entry:
        if name not in self._loaded:
            module, _, attribute = self._places[name].partition(":")
            found: Any = import_module(f"{self._package}.{module}")
            self._loaded[name] = getattr(found, attribute) if attribute else found
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
