"""The formats that packs can have, and the way to each one's adapter."""

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from packs.formats.adapter import Adapter, Files

# Those first whose files have sure signs.
_NAMES = ("challenge_pack", "agentv", "benchmark_pack", "task_suite")
# Name to module. A module is imported when it is first asked for, so that a command pays only for what it uses.
FORMATS: dict[str, str] = {name: f"{__name__}.{name}" for name in _NAMES}


def adapter_of(name: str) -> "Adapter":
    """The adapter of a format.

    Raises KeyError for a name that is not in `FORMATS`.
    """
    return cast("Adapter", import_module(FORMATS[name]))


def recognise(files: "Files") -> str | None:
    """The name of the first format that these files look like."""
    return next((name for name in FORMATS if adapter_of(name).recognises(files)), None)
