"""Folders of Git repositories that packs are bound to. This room starts no programs: who can says so with `connect`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


class RemoteRefused(Exception):
    """What keeps a repository from being read or written, in words; `code` is stable.

    not_allowed (no address that this studio may use), no_secret, not_reached (the network, the server, or the sign-in),
    no_branch, no_folder, too_large, behind (somebody else pushed meanwhile), changed (since it was looked at),
    nothing (to push), push_refused, not_bound, no_sandbox.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True, slots=True)
class Folder:
    """Where a pack lives: an address that git takes, a branch, and a folder in it; "" is the whole repository.

    `user` and `secret`, the name of a secret of the team, sign in: over https a password or token, over ssh a private
    key. `host_keys` are the lines of a `known_hosts` file; ssh connects to no host without one.
    """

    address: str
    branch: str
    folder: str = ""
    user: str = ""
    secret: str = ""
    host_keys: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The files of a folder at a commit, by their paths below it; `commit` is empty where the branch is not there.

    `skipped` are the paths of what is no file: links and other repositories. They stay as they are.
    """

    commit: str
    files: Mapping[str, bytes] = field(repr=False)
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Signature:
    """Who made a commit, and what it says."""

    name: str
    email: str
    message: str


class Remote(Protocol):
    """Reads and writes repositories for a team. Every method raises RemoteRefused."""

    def secret_names(self, team: int) -> Sequence[str]:
        """The names of the secrets of a team that can sign in."""

    def checked(self, address: str) -> str:
        """The address in the form in which it is used; only one that an administrator allows."""

    def fetch(self, team: int, place: Folder) -> Fetched:
        """What is in the folder now."""

    def push(
        self, team: int, place: Folder, base: str, changes: Mapping[str, bytes | None], by: Signature, onto: str = ""
    ) -> str:
        """Add a commit after `base`, and give its id. `changes` maps paths below the folder to their new bytes, or to
        None where the file goes; `onto` is another branch for it. Where the folder's branch is elsewhere by now,
        nothing happens (behind)."""


_remotes: list[Callable[[], Remote]] = []


def connect(found: Callable[[], Remote]) -> None:
    """Have packs reach repositories through what this gives; it is asked when one is to be reached."""
    _remotes[:] = [found]


def remote() -> Remote:
    """What reaches repositories. Raises RemoteRefused where nothing does."""
    if not _remotes:
        raise RemoteRefused("no_sandbox", "This studio cannot run git.")
    return _remotes[0]()
