"""The arguments of commands that run without Django."""

import argparse
from typing import Any


class Misuse(Exception):
    """A command was given something that it cannot act on."""


class Parser(argparse.ArgumentParser):
    """Leaves the exit code to the command."""

    def error(self, message: str) -> Any:
        """Raise Misuse with the message and how the command is used."""
        raise Misuse(f"{message}\n{self.format_usage()}".rstrip())
