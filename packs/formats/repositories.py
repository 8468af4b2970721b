"""Which repositories a workspace may be made from: addresses are normalised, then compared, then used as compared.

An entry of the list is a folder of the worker's machine (an absolute path) or the beginning of a URL, up to a slash.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path as Folder
from pathlib import PurePosixPath
from posixpath import normpath
from urllib.parse import quote, unquote, urlsplit

from packs.formats.environment import Repository
from packs.formats.findings import Finding, Path, Rule

NOT_FETCHED = Rule(
    "pack.W010",
    "This studio may not fetch the repository {location}, so trials that need it end in an error.",
    hint="Ask an administrator to add it to PACKWRIGHT_WORKSPACE_SOURCES, or put the repository into the pack.",
)
OWNER_AND_NAME = re.compile(r"[\w.-]+/[\w.-]+")
# `user@host:path`, which git reads as SSH with a path below the user's home.
SCP = re.compile(r"(?P<place>(?:[\w.+-]+@)?[\w.-]+):(?!//)(?P<path>[^:]*)")
PORTS = {"http": 80, "https": 443, "ssh": 22, "git": 9418}
# Signs that end a path, that git servers decode once more, or that some programs take for a slash.
UNSAFE = re.compile(r"[%?#\\]")


def normalised(location: str) -> str | None:
    """The address of a repository in the one form in which it is compared and given to git; None for what is no such
    address: with a query, a fragment, a password, invisible characters, or signs encoded twice."""
    if not location.isprintable():
        return None
    if OWNER_AND_NAME.fullmatch(location):
        location = f"https://github.com/{location}"
    found = SCP.fullmatch(location)
    if found:
        path = _path(found["path"])
        user, _, host = found["place"].rpartition("@")
        return path and f"{user}@{host.lower()}:{path}".removeprefix("@")
    return _url(location)


def _url(location: str) -> str | None:
    try:
        parts = urlsplit(location)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    path = _path(parts.path)
    if parts.scheme not in PORTS or not host or path is None or "?" in location or "#" in location:
        return None
    if parts.password is not None or (parts.username and parts.scheme != "ssh"):
        return None
    user = f"{parts.username}@" if parts.username else ""
    place = f"[{host}]" if ":" in host else host.rstrip(".")
    place += f":{port}" if port and port != PORTS[parts.scheme] else ""
    return f"{parts.scheme}://{user}{place}/{quote(path.lstrip('/'), safe='/~@:+,=!$&()*;')}"


def _path(stated: str) -> str | None:
    """A path without escapes, empty steps and steps up; None where it has no certain meaning."""
    path = unquote(stated)
    if UNSAFE.search(path) or not path.isprintable():
        return None
    plain = normpath(path) if path else ""
    return None if plain.startswith("..") else plain.replace("//", "/").rstrip("/")


def allowed_address(sources: Iterable[str], location: str) -> str | None:
    """The address to give to git where the list allows it; None where it does not."""
    address = normalised(location)
    entries = (normalised(source) for source in sources if not source.startswith("/"))
    if address is None or not any(_is_below(address, entry) for entry in entries if entry):
        return None
    return address


def _is_below(address: str, entry: str) -> bool:
    return address == entry or address.startswith(f"{entry.rstrip('/')}/")


def allowed_folder(sources: Iterable[str], location: str) -> str | None:
    """The real folder of this machine that a path means, where the list allows it; None where it does not."""
    pure = PurePosixPath(location)
    if not pure.is_absolute() or ".." in pure.parts:
        return None
    real = Folder(location).resolve()
    is_allowed = any(real.is_relative_to(Folder(source).resolve()) for source in sources if source.startswith("/"))
    return str(real) if is_allowed else None


def refused(sources: Iterable[str], repositories: Iterable[tuple[Path, Repository]]) -> Iterator[Finding]:
    """A warning for each repository that the list does not allow; folders of the pack need no permission."""
    listed = list(sources)
    for path, repository in repositories:
        location = repository.location
        if repository.kind == "local":
            is_allowed = not location.startswith("/") or allowed_folder(listed, location) is not None
        else:
            is_allowed = allowed_address(listed, location) is not None
        if not is_allowed:
            yield NOT_FETCHED.at(path, location=repr(location[:160]))
