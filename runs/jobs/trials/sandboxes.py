"""The sandbox in which this site's workers run programs, as the settings say."""

import logging

from django.conf import settings

from runs.sandbox import SANDBOXES, SWEEPERS
from runs.sandbox.choice import Choice, Policy
from runs.sandbox.contract import MEBIBYTE, SandboxUnavailable

log = logging.getLogger(__name__)

_choices: dict[Policy, Choice] = {}


def chosen_sandbox() -> Choice:
    """The sandbox of this process. What it can be is looked up once, when it is first needed."""
    policy = Policy(
        kind=settings.SANDBOX,
        allows_local=settings.ALLOW_LOCAL_COMMANDS,
        allows_network=settings.SANDBOX_NETWORK,
        shared_paths=tuple(settings.SANDBOX_READ_ONLY_PATHS),
        memory_bytes=settings.SANDBOX_MEMORY * MEBIBYTE,
    )
    return _choices.setdefault(policy, Choice(SANDBOXES, policy))


def sweep_workspaces() -> None:
    """Clean up the workspaces of workers of this machine that died."""
    try:
        swept = sum(sweep() for sweep in SWEEPERS.values())
    except (OSError, SandboxUnavailable):
        log.warning("workspaces-not-swept", exc_info=True)
        return
    if swept:
        log.info("workspaces-swept", extra={"workspaces": swept})
