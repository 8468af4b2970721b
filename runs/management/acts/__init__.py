"""The commands of `manage.py run`: each a module that is loaded when its command is given, and only then."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.management import BaseCommand
from django.core.management.base import CommandParser

from packs.formats.arguments import LateParser
from packs.formats.registry import Registry

# What was given on the command line, by the names of the arguments.
Given = Mapping[str, Any]


@dataclass(frozen=True)
class Act:
    """A command: what declares its arguments, and what does it and gives the exit code."""

    add_arguments: Callable[[ArgumentParser], None]
    do: Callable[[BaseCommand, Given], int]


_COMMANDS = {
    "start": ("starting:START", "start a run of a published version"),
    "import-traces": ("importing:IMPORT", "make a run of trial records or traces that were made elsewhere"),
    "trace": ("tracing:TRACE", "write a trial as a trial record, or its trace alone"),
    "list": ("listing:LIST", "list the newest runs of a team"),
    "show": ("showing:SHOW", "show a run"),
    "cancel": ("steering:CANCEL", "stop a run"),
    "pause": ("steering:PAUSE", "let no more trials of a run begin"),
    "resume": ("steering:RESUME", "let a paused run go on"),
    "retry": ("steering:RETRY", "try trials again, those that ended in errors unless said otherwise"),
    "more": ("steering:MORE", "add trials to every case"),
    "rescore": ("rescoring:RESCORE", "score the stored trials of a run again; the run stays as it is"),
    "adopt": ("rescoring:ADOPT", "let the verdicts of a rescore count for its run"),
    "export": ("exporting:EXPORT", "write the results of a run"),
    "page": ("exporting:PAGE", "write a run, a comparison or a replay as one HTML file with its pictures"),
}
HELP = {name: use for name, (_, use) in _COMMANDS.items()}
ACTS: Mapping[str, Act] = Registry(__name__, {name: place for name, (place, _) in _COMMANDS.items()})


class ActParser(LateParser, CommandParser):
    """The parser of one command."""


def add_arguments_of(name: str, parser: ArgumentParser) -> None:
    """Declare the arguments of a command, which is loaded for it."""
    ACTS[name].add_arguments(parser)


def add_id(parser: ArgumentParser) -> None:
    """The number of what a command is about."""
    parser.add_argument("id", type=int, metavar="ID")


def add_json(parser: ArgumentParser) -> None:
    """The answer as a document."""
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
