"""A way out of a sandbox without a network: a port on its own 127.0.0.1 that leads to one socket of this machine."""

import errno
import os
from dataclasses import dataclass, replace
from pathlib import Path

from runs.sandbox.contract import Command, CommandResult, SandboxUnavailable, Workspace
from runs.sandbox.lending import Lent
from runs.sandbox.loopback.relay import MARK, NOT_STARTED

PROGRAM = Path(__file__).with_name("relay.py")
PYTHON = "python3"
# The relay tells a signal that ended the program as an exit code above this.
SIGNAL_CODES = range(129, 160)


@dataclass(frozen=True, slots=True)
class Relayed:
    """Runs commands of a workspace so that they reach the socket `name` in a lent folder.

    They find the address, such as http://127.0.0.1:40123, in `variable`. Programs and image must offer python3.
    """

    workspace: Workspace
    lent: Lent
    name: str
    variable: str

    def run(self, command: Command) -> CommandResult:
        """Run a program; raises as `Workspace.run`, and SandboxUnavailable where there is no loopback to be had."""
        relay = self.lent.add("relay.py", PROGRAM.read_bytes())
        arguments = [PYTHON, "-I", "-S", relay, self.lent.path, self.name, self.variable, *command.arguments]
        shared = tuple(dict.fromkeys((*command.shared_paths, self.lent.path)))
        try:
            result = self.workspace.run(replace(command, arguments=arguments, shared_paths=shared, loopback=True))
        except OSError as error:
            if error.filename == PYTHON:
                raise SandboxUnavailable(
                    "a program that may ask models needs python3, which is not in its sandbox or image"
                ) from error
            raise
        return _described(result, command)


def _described(result: CommandResult, command: Command) -> CommandResult:
    """The result, where the program was started at all. Raises FileNotFoundError and PermissionError."""
    mark, _, number = result.stderr.partition(b" ")
    if result.exit_code in SIGNAL_CODES:
        return replace(result, exit_code=128 - result.exit_code)
    if result.exit_code != NOT_STARTED or mark != MARK.encode() or not number.strip().isdigit():
        return result
    code = int(number)
    kind = FileNotFoundError if code in (errno.ENOENT, errno.ENOTDIR) else PermissionError
    raise kind(code, os.strerror(code), command.arguments[0])
