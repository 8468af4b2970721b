"""Which paths a patch touches, and which of them a policy denies (benchmark-pack 9.6)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

_HEADER = re.compile(r'diff --git (?:"?a/(.+?)"?) (?:"?b/(.+?)"?)$')
_NAMED = ("rename from ", "rename to ")
_SIDES = ("--- ", "+++ ")

FIRST_PARTS = frozenset({".github", ".gitlab", "ci", "securebench"})
ANY_PARTS = frozenset({"__pycache__", "test", "tests"})
NAMES = frozenset(
    {
        *("cargo.lock", "cargo.toml", "conftest.py", "go.mod", "go.sum", "package.json", "package-lock.json"),
        *("pipfile", "pipfile.lock", "pnpm-lock.yaml", "poetry.lock", "pyproject.toml", "requirements-dev.txt"),
        *("requirements-test.txt", "requirements.txt", "setup.cfg", "setup.py", "tox.ini", "yarn.lock"),
    }
)
BEGINNINGS = ("pytest.", "noxfile.")
ENDINGS = (".bash", ".sh", ".zsh", ".lock")


def paths_of(patch: str) -> list[str]:
    """The paths that a patch names, each once, in their order."""
    return list(dict.fromkeys(path for line in patch.splitlines() for path in _of_line(line) if path))


def _of_line(line: str) -> Iterator[str]:
    header = _HEADER.match(line)
    if header:
        yield from (_plain(part) for part in header.groups())
    for start in _NAMED:
        if line.startswith(start):
            yield _plain(line.removeprefix(start))
    for start in _SIDES:
        path = line.removeprefix(start).partition("\t")[0].strip()
        if line.startswith(start) and path != "/dev/null":
            yield _plain(path.strip('"').removeprefix("a/" if start == "--- " else "b/"))


def _plain(path: str) -> str:
    """A path in normal form; one that is absolute or climbs stays as it is."""
    path = path.strip().strip('"')
    if _is_unsafe(path):
        return path
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def _is_unsafe(path: str) -> bool:
    return path.startswith("/") or ".." in path.split("/")


def denied_paths(paths: Sequence[str], policy: Mapping[str, Any]) -> list[str]:
    """The paths that a policy does not let a patch touch; any of them rejects the whole patch."""
    allowed, lifted = (policy.get(name) or [] for name in ("allow_paths", "allow_sensitive_paths"))
    return [path for path in paths if _is_denied(path, allowed, lifted)]


def _is_denied(path: str, allowed: Sequence[str], lifted: Sequence[str]) -> bool:
    if allowed and not _matches(path, allowed):
        return True
    return is_sensitive(path) and not _matches(path, lifted)


def _matches(path: str, patterns: Sequence[str]) -> bool:
    plain = [_plain(pattern) for pattern in patterns]
    return any(fnmatchcase(path, found) or path == found or path.startswith(f"{found}/") for found in plain)


def is_sensitive(path: str) -> bool:
    """Whether a path decides how software is built or tested, or leads out of the repository."""
    if _is_unsafe(path):
        return True
    parts = path.lower().split("/")
    name = parts[-1]
    return (
        parts[0] in FIRST_PARTS
        or not ANY_PARTS.isdisjoint(parts)
        or name in NAMES
        or name.startswith(BEGINNINGS)
        or name.endswith(ENDINGS)
    )
