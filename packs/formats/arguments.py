"""The arguments of commands that run without Django."""

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

# Fixed: for the width of the terminal Python loads three libraries of compression.
_HELP_WIDTH = 80


class Misuse(Exception):
    """A command was given something that it cannot act on."""


class LateParser(argparse.ArgumentParser):
    """The parser of one of several commands, which learns its arguments when it has something to parse: those of the
    other commands are never made."""

    learn: Callable[["LateParser"], None] | None = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As any parser."""
        learn, self.learn = self.learn, None
        if learn:
            learn(self)
        return super().parse_known_args(args, namespace)


class Parser(LateParser):
    """Leaves the exit code to the command."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, formatter_class=partial(argparse.HelpFormatter, width=_HELP_WIDTH))

    def error(self, message: str) -> Any:
        """Raise Misuse with the message and how the command is used."""
        raise Misuse(f"{message}\n{self.format_usage()}".rstrip())
