"""Which paths a patch touches, and which of them a policy denies (benchmark-pack 9.6)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

# No file system takes two names that are longer together; such a line is looked at as one path.
MAX_NAMES = 8_192

_HEADER = "diff --git "
_TWO_NAMES = re.compile(r"a/(.+?) b/(.+)")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|.)", re.DOTALL)
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_NAMED = ("rename from ", "rename to ", "copy from ", "copy to ")
_SIDES = ("--- ", "+++ ")
_PREFIXES = ("a/", "b/")

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
    """The paths that a patch names, each once, in their order.

    Those that `git apply` finds are among them, however they are written: quoted with escapes, below another prefix
    than `a/` and `b/`, or only in the first line of a file without text.
    """
    return list(dict.fromkeys(path for line in patch.split("\n") for path in _of_line(line) if path))


def _of_line(line: str) -> Iterator[str]:
    if line.startswith(_HEADER):
        for name in _in_header(line.removeprefix(_HEADER).strip()):
            yield from _without_prefix(name)
    for start in _NAMED:
        if line.startswith(start):
            yield _plain(_unquoted(line.removeprefix(start).strip()))
    for start in _SIDES:
        name = _unquoted(line.removeprefix(start).partition("\t")[0].strip())
        if line.startswith(start) and name != "/dev/null":
            yield from _without_prefix(name)


def _in_header(text: str) -> Iterator[str]:
    """The two names of a first line. Plain ones with blanks in them end where what follows says the same again."""
    if len(text) > MAX_NAMES:
        yield text
        return
    quoted = _QUOTED.search(text)
    if quoted is not None:
        yield from (_unquoted(name.strip()) for name in (text[: quoted.start()], quoted[0], text[quoted.end() :]))
        return
    named = _TWO_NAMES.fullmatch(text)
    if named:
        yield from (f"{prefix}{name}" for prefix, name in zip(_PREFIXES, named.groups(), strict=True))
    for blank in re.finditer(" ", text):
        one, other = text[: blank.start()], text[blank.end() :]
        if "/" in one and one.partition("/")[2] == other.partition("/")[2]:
            yield one


def _without_prefix(name: str) -> Iterator[str]:
    """The path of a name; below another prefix than the usual ones also as git takes it, without its first part."""
    if name.startswith(_PREFIXES):
        yield _plain(name[2:])
        return
    yield _plain(name)
    if not _is_unsafe(name):
        yield _plain(name.partition("/")[2])


def _unquoted(name: str) -> str:
    """A name as it is between quotes; one without them stays as it is."""
    quoted = _QUOTED.fullmatch(name)
    if quoted is None:
        return name
    data = _ESCAPE.sub(lambda found: _character(found[1]), quoted[1].encode())
    return data.decode("utf-8", "replace")


def _character(code: bytes) -> bytes:
    return bytes([int(code, 8)]) if code.isdigit() else _ESCAPED.get(code, code)


def _plain(path: str) -> str:
    """A path in normal form; one that is absolute or climbs stays as it is."""
    path = path.strip()
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
