"""What commands answer where they can do nothing: a line for people, with `--json` one document for programs."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from django.core.management import BaseCommand
from django.db import DatabaseError

from packs.formats.terminal import MACHINERY, USAGE, json_text, plain


class Misuse(Exception):
    """The command was given something that it cannot act on; `choices` lists what would be possible."""

    def __init__(self, message: str, code: str = "usage", choices: list[Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.choices = choices or []


def say(command: BaseCommand, *lines: str) -> None:
    """Write lines for people; whatever stands in them stays on its line."""
    for line in lines:
        command.stdout.write(plain(line))


def complain(command: BaseCommand, *lines: str) -> None:
    """Write lines for people beside the answer."""
    for line in lines:
        command.stderr.write(plain(line))


def say_json(command: BaseCommand, value: Any) -> None:
    command.stdout.write(json_text(value))


def refuse(command: BaseCommand, refused: Exception, options: Mapping[str, Any]) -> None:
    """Say why nothing was done; an exception without a code of its own stands for a wrong request."""
    code, choices = getattr(refused, "code", "invalid_request"), getattr(refused, "choices", [])
    if options.get("json"):
        say_json(command, {"error": {"code": code, "message": str(refused), "choices": choices}})
        return
    complain(command, *str(refused).splitlines())
    complain(command, *(f"  {line_of(choice)}" for choice in choices))


def line_of(choice: Mapping[str, Any]) -> str:
    """What could be given, for people: without its id and what is empty, counts with their words."""
    facts = ((name, value) for name, value in choice.items() if name != "id" and value not in (None, ""))
    return "  ".join(counted(value, name) if isinstance(value, int) else str(value) for name, value in facts)


def counted(count: int, name: str) -> str:
    """A count with its word: `name` is the plural."""
    return f"{count} {name.removesuffix('s') if count == 1 else name}"


def say_unusable(command: BaseCommand, error: DatabaseError, options: Mapping[str, Any]) -> None:
    """Say that the database is out of reach, or was not prepared for this version of the studio."""
    advice = "Is it there, and was `manage.py prepare` run?"
    refuse(command, Misuse(f"The database cannot be used: {error}\n{advice}", "database"), options)


def carry_out(command: BaseCommand, act: Callable[[], int | None], options: Mapping[str, Any]) -> None:
    """Do what a command is for and end with the code that `act` gives: none stands for success.

    Ends with 2 for Misuse, and with 3 where the database is out of reach; both are explained.
    """
    try:
        code = act()
    except Misuse as misuse:
        refuse(command, misuse, options)
        code = USAGE
    except DatabaseError as error:
        say_unusable(command, error, options)
        code = MACHINERY
    if code:
        sys.exit(code)


def described(error: OSError) -> str:
    """What went wrong with a file, and with which."""
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)
