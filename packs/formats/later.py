"""Modules of libraries that are imported when something of them is first used, so that a command starts with less."""

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
