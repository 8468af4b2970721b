"""Running programs that a pack names, on machines of which its author knows nothing."""

from dataclasses import replace

from runs.sandbox.contract import Command, CommandResult, Workspace

# What goes by another name where the first is not installed.
ALIASES = {"python": "python3", "pip": "pip3"}


def run_program(workspace: Workspace, command: Command) -> CommandResult:
    """Run a command; `python` is `python3` where there is no other. Raises as `Workspace.run`."""
    try:
        return workspace.run(command)
    except FileNotFoundError:
        alias = ALIASES.get(command.arguments[0])
        if alias is None:
            raise
    return workspace.run(replace(command, arguments=[alias, *command.arguments[1:]]))
