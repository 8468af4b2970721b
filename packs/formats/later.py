"""What is imported when it is first used, so that a command starts with less: modules, and names of packages."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


class Later:
    """Stands for a module that not every process needs; type checkers are given the module itself.

    Asking for what the module does not have raises AttributeError.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(import_module(self._name), attribute)
        # The next use finds it at once.
        self.__dict__[attribute] = found
        return found


def names_of(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names stand in modules below it, by name; no module may be called like one.

    The place of a name that stands in a module beside the package begins with a dot.

    Asking for what the package does not have raises AttributeError.
    """

    def attribute_of_module(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(f".{places[name]}", package), name)
        setattr(sys.modules[package], name, found)
        return found

    return attribute_of_module
