"""Programs of graders that may ask models while they run."""

import secrets
from collections.abc import Callable
from dataclasses import replace

from runs.agents.endpoints.listening import listen
from runs.engine.workspace.programs import run_program
from runs.grading.judges.proxy import Proxy
from runs.sandbox.contract import Command, CommandResult, SandboxUnavailable, Workspace
from runs.sandbox.lending import Lent
from runs.sandbox.loopback import Relayed


def run_proxied(workspace: Workspace, command: Command, proxy: Proxy, lent: Lent) -> CommandResult:
    """Run a command that finds the proxy by its variables. Raises as `Workspace.run`, and SandboxUnavailable."""
    access, name = proxy.access, f"models-{secrets.token_hex(4)}"
    variables = {**(command.variables or {}), access.token_variable: proxy.token}
    place = Relayed(workspace, lent, name, access.url_variable)

    def work(is_stopped: Callable[[], bool]) -> CommandResult:
        return run_program(place, replace(command, variables=variables, is_cancelled=is_stopped))

    try:
        with listen(lent.path, name, proxy.respond):
            return proxy.attend(work)
    except (FileNotFoundError, PermissionError):
        raise
    except OSError as error:
        raise SandboxUnavailable(f"cannot offer models to a program: {error}") from error
