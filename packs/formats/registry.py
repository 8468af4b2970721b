"""Plug-ins by name, each imported when it is first asked for, so that a process pays only for what it uses."""

from collections.abc import Iterator, Mapping
from pkgutil import resolve_name
from typing import TypeVar

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
            self._loaded[name] = resolve_name(f"{self._package}.{self._places[name]}")
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
