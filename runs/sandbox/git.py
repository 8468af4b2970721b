"""How git runs in a sandbox: how it is configured for all who start it."""

from collections.abc import Mapping

SECONDS = 300.0
# Sources belong to other users than the one that git runs as. A redirect would lead away from the address that was
# compared with the list.
CONFIG = (
    b'[safe]\n\tdirectory = *\n[protocol "ext"]\n\tallow = never\n[advice]\n\tdetachedHead = false\n'
    b"[http]\n\tfollowRedirects = false\n"
)


def variables(config: str) -> Mapping[str, str]:
    """What git is started with; `config` is the path of the only file of settings that it reads."""
    return {
        "GIT_CONFIG_GLOBAL": config,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "file:https:http:ssh:git",
    }
