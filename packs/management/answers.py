"""What commands answer where they can do nothing: a line for people, with `--json` one document for programs."""

from collections.abc import Mapping
from typing import Any

import orjson
from django.core.management import BaseCommand
from django.db import DatabaseError


class Misuse(Exception):
    """The command was given something that it cannot act on; `choices` lists what would be possible."""

    def __init__(self, message: str, code: str = "usage", choices: list[Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.choices = choices or []


def say_json(command: BaseCommand, value: Any) -> None:
    command.stdout.write(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def refuse(command: BaseCommand, refused: Exception, options: Mapping[str, Any]) -> None:
    """Say why nothing was done; an exception without a code of its own stands for a wrong request."""
    code, choices = getattr(refused, "code", "invalid_request"), getattr(refused, "choices", [])
    if options.get("json"):
        say_json(command, {"error": {"code": code, "message": str(refused), "choices": choices}})
        return
    command.stderr.write(str(refused))
    for choice in choices:
        command.stderr.write("  " + "  ".join(str(value) for value in choice.values()))


def say_unusable(command: BaseCommand, error: DatabaseError, options: Mapping[str, Any]) -> None:
    """Say that the database is out of reach, or was not prepared for this version of the studio."""
    advice = "Is it there, and was `manage.py prepare` run?"
    refuse(command, Misuse(f"The database cannot be used: {error}\n{advice}", "database"), options)


def told(error: OSError) -> str:
    """What went wrong with a file, and with which."""
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)
