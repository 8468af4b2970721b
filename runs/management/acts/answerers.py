"""`--model`: which connections answer for the models that a pack names."""

from argparse import ArgumentParser
from collections.abc import Iterable

from packs.management.answers import Misuse


def add_models(parser: ArgumentParser, use: str) -> None:
    parser.add_argument("--model", action="append", default=[], metavar="NAME=CONNECTION[/MODEL]", help=use)


def read_models(texts: Iterable[str]) -> dict[str, dict[str, str]]:
    """Each named model, with the connection and the model that answer for it. Raises Misuse."""
    return dict(read_answer(text) for text in texts)


def read_answer(text: str) -> tuple[str, dict[str, str]]:
    """A choice of `--model`: the pack's name of a model, and the connection and model that answer for it."""
    name, is_given, answer = text.partition("=")
    connection, _, model = answer.partition("/")
    if not (is_given and name and connection):
        raise Misuse(f"{text!r} does not have the form NAME=CONNECTION or NAME=CONNECTION/MODEL.")
    return name, {"connection": connection, "model": model or name}
