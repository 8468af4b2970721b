"""Running programs that a pack names, on machines of which its author knows nothing."""

from dataclasses import replace
from typing import Protocol

from runs.sandbox.contract import Command, CommandResult

# What goes by another name where the first is not installed.
ALIASES = {"python": "python3", "pip": "pip3"}


class CommandRunner(Protocol):
    """Where a command can be run: a workspace, in one way or another."""

    def run(self, command: Command) -> CommandResult:
        """Run it. Raises as `Workspace.run`."""


def run_program(workspace: CommandRunner, command: Command) -> CommandResult:
    """Run a command; `python` is `python3` where there is no other. Raises as `Workspace.run`."""
    try:
        return workspace.run(command)
    except FileNotFoundError:
        alias = ALIASES.get(command.arguments[0])
        if alias is None:
            raise
    return workspace.run(replace(command, arguments=[alias, *command.arguments[1:]]))
