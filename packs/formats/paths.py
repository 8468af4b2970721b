"""The path policy: which names files inside a pack may have, so that no folder or archive can be written outside."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from packs.formats.findings import Finding, Rule

MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 1024
MAX_PATH_DEPTH = 32

EMPTY = Rule("files.E001", "A file without a name cannot be part of a pack.", hint="Give it a name.")
ABSOLUTE = Rule(
    "files.E002",
    "The path {name!r} is absolute.",
    hint="Use a path relative to the folder of the pack.",
)
CLIMBS = Rule(
    "files.E003",
    "The path {name!r} has a step '.', '..' or an empty one.",
    hint="Name the file by its place inside the pack's folder.",
)
BACKSLASH = Rule("files.E004", "The path {name!r} has a backslash.", hint="Separate folders with '/'.")
CONTROL = Rule(
    "files.E005",
    "The path {name!r} has a control character or is not valid text.",
    hint="Rename the file with ordinary characters.",
)
TOO_LONG = Rule(
    "files.E006",
    "The path {name!r} is too long or too deep.",
    hint="Keep each name within {name_limit} bytes, the path within {path_limit} bytes and {depth_limit} levels.",
)
NOT_FOR_WINDOWS = Rule(
    "files.W001",
    "The name {name!r} cannot be stored on Windows.",
    hint='Avoid < > : " | ? *, a dot or blank at the end, and device names such as CON or NUL.',
)
CASE_CLASH = Rule(
    "files.W002",
    "{name!r} and {other!r} differ only in upper and lower case.",
    hint="Rename one of them: Windows and macOS keep only one.",
)

_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_DRIVE = re.compile(r"[A-Za-z]:")
_WINDOWS = re.compile(
    r'[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)',
    re.IGNORECASE,
)
_SHOWN = 120


def shown_name(name: str) -> str:
    """A name short enough for a message."""
    return name if len(name) <= _SHOWN else name[:_SHOWN] + "..."


def refused_name(name: str) -> Finding | None:
    """The finding that refuses a name inside a pack, or None when the name is safe to write below any folder."""
    rule = _broken_rule(name)
    if rule is None:
        return None
    limits: dict[str, Any] = {"name_limit": MAX_NAME_BYTES, "path_limit": MAX_PATH_BYTES, "depth_limit": MAX_PATH_DEPTH}
    shown = shown_name(name)
    return replace(rule.at((), name=shown, **limits), file=shown.encode("utf-8", "replace").decode())


def _broken_rule(name: str) -> Rule | None:
    steps = name.split("/")
    checks = (
        (EMPTY, not name),
        (CONTROL, _CONTROL.search(name) is not None),
        (BACKSLASH, "\\" in name),
        (ABSOLUTE, name.startswith("/") or _DRIVE.match(name) is not None),
        (CLIMBS, not {"", ".", ".."}.isdisjoint(steps)),
        (TOO_LONG, _is_too_long(name, steps)),
    )
    return next((rule for rule, is_broken in checks if is_broken), None)


def _is_too_long(name: str, steps: list[str]) -> bool:
    sizes = [len(step.encode("utf-8", "replace")) for step in steps]
    return max(sizes) > MAX_NAME_BYTES or sum(sizes) + len(steps) > MAX_PATH_BYTES or len(steps) > MAX_PATH_DEPTH


def own_name(name: str) -> str:
    """What a file that comes alone is called: the last step of its name, as far as a file of a pack can be called so.

    Nobody chose the name for the pack, so it is fixed and not refused.
    """
    last = _CONTROL.sub("_", name.replace("\\", "/").rpartition("/")[2])
    return last if refused_name(last) is None else "file"


def doubtful_names(names: Iterable[str]) -> Iterator[Finding]:
    """Warnings about names that some file systems cannot keep, alone or side by side."""
    lowered: dict[str, str] = {}
    for name in sorted(names):
        if any(_WINDOWS.search(step) for step in name.split("/")):
            yield replace(NOT_FOR_WINDOWS.at((), name=shown_name(name)), file=name)
        other = lowered.setdefault(name.casefold(), name)
        if other != name:
            yield replace(CASE_CLASH.at((), name=shown_name(name), other=shown_name(other)), file=name)


def normal_path(path: str) -> str:
    """A relative path without empty steps and dots."""
    return "/".join(step for step in path.split("/") if step not in ("", "."))


def path_trouble(path: Any) -> str:
    """What keeps a value from being a safe relative path, in words; empty for a safe one (benchmark-pack 2)."""
    if not isinstance(path, str) or not path:
        return "must be a relative path that is not empty"
    if "\\" in path:
        return "may not contain backslashes"
    if path.startswith("/"):
        return "may not be absolute"
    if ".." in path.split("/"):
        return "may not contain '..'"
    return "" if normal_path(path) else "must be a relative path that is not empty"
