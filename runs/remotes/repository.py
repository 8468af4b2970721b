"""One repository in a workspace of its own: fetched without its history, read and written without a checkout.

So no filter, no hook and no line ending of the repository's own settings changes a byte.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import time

from packs.formats.archives.limits import MAX_FILES, MAX_TOTAL_BYTES
from packs.remotes import Fetched, Folder, RemoteRefused, Signature
from runs.remotes.streams import Entry, below, commit, contents, entries, within
from runs.sandbox.contract import Command, CommandResult, Stop, Workspace
from runs.sandbox.git import CONFIG, SECONDS, variables

DIRECTORY, PUSHED = "repository.git", "packwright"
# What names cost beside the contents.
MORE_BYTES = 4096
MAX_MESSAGE = 600
BRANCHES, SHOWN_BRANCHES = 1024 * 1024, 5
BEHIND = ("[rejected]", "[remote rejected] (cannot lock ref", "incorrect old value")


@dataclass(frozen=True, slots=True)
class Login:
    """What signs in at a host: user and password over http, a private key and known hosts over ssh, or nothing."""

    user: str = ""
    password: str = field(default="", repr=False)
    host_keys: str = ""


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository of a folder, reached from a workspace that holds nothing else. Methods raise RemoteRefused."""

    workspace: Workspace
    place: Folder
    login: Login = field(default_factory=Login)

    def fetch(self) -> Fetched:
        """The files of the folder as they are now."""
        self._prepare()
        at = self._fetched()
        if not at:
            return Fetched("", {})
        found = within(self.place.folder, self._entries(at))
        files = {path: entry for path, entry in found.items() if entry.is_file}
        skipped = tuple(sorted(found.keys() - files.keys()))
        if len(files) > MAX_FILES or sum(entry.size for entry in files.values()) > MAX_TOTAL_BYTES:
            limits = f"{MAX_FILES} files and {MAX_TOTAL_BYTES >> 20} MiB"
            raise RemoteRefused("too_large", f"The folder holds more than a pack may: {limits}. Choose a smaller one.")
        return Fetched(at, dict(zip(files, self._contents(files), strict=True)), skipped)

    def push(self, base: str, changes: Mapping[str, bytes | None], by: Signature, onto: str = "") -> str:
        """Add a commit after `base`; see `packs.remotes.Remote`."""
        self._prepare()
        at = self._fetched()
        if at != base:
            raise _behind()
        modes = {entry.path: entry.mode for entry in self._entries(at)} if at else {}
        whole = {below(self.place.folder, path): content for path, content in changes.items()}
        stream = commit(at, PUSHED, whole, modes, by, int(time()))
        self._git(["fast-import", "--quiet", "--done", "--force"], stdin=stream)
        made = self._git(["rev-parse", f"refs/heads/{PUSHED}"]).decode().strip()
        self._send(made, onto or self.place.branch)
        return made

    def _prepare(self) -> None:
        self.workspace.write_file("gitconfig", CONFIG + _header(self.place.address, self.login))
        if self.login.password and not self.place.address.startswith("http"):
            self.workspace.write_file("key", self.login.password.strip().encode() + b"\n")
            self.workspace.write_file("known_hosts", self.login.host_keys.encode() + b"\n")
            # ssh refuses a key of its own user that others could read. Where it is not its own, that is no trouble.
            self._start(["chmod", "600", "key"])
        self._run(["git", "init", "--quiet", "--bare", DIRECTORY])

    def _fetched(self) -> str:
        """The newest commit of the branch, which is here afterwards; empty in a repository without any branch."""
        ref = f"refs/heads/{self.place.branch}"
        branches = self._reach(["ls-remote", "--heads", "--", self.place.address], BRANCHES).decode().split()[1::2]
        if not branches:
            return ""
        if ref not in branches:
            some = ", ".join(name.removeprefix("refs/heads/") for name in branches[:SHOWN_BRANCHES])
            raise RemoteRefused("no_branch", f"The repository has no branch {self.place.branch!r}. It has: {some}.")
        self._reach(["fetch", "--quiet", "--no-tags", "--depth", "1", "--", self.place.address, f"+{ref}:{ref}"])
        return self._git(["rev-parse", ref]).decode().strip()

    def _entries(self, at: str) -> list[Entry]:
        try:
            return list(entries(self._git(["ls-tree", "-r", "-z", "-l", "--full-tree", at], output=MAX_TOTAL_BYTES)))
        except UnicodeDecodeError:
            raise RemoteRefused("too_large", "A path in the repository is not UTF-8; rename it there.") from None

    def _contents(self, files: Mapping[str, Entry]) -> list[bytes]:
        asked = "".join(f"{entry.name}\n" for entry in files.values()).encode()
        most = sum(entry.size + MORE_BYTES for entry in files.values())
        return list(contents(self._git(["cat-file", "--batch"], stdin=asked, output=most), len(files)))

    def _send(self, made: str, branch: str) -> None:
        wanted = ["push", "--quiet", "--", self.place.address, f"{made}:refs/heads/{branch}"]
        result = self._start(["git", "-C", DIRECTORY, *wanted], network=True)
        if not result.exit_code and not result.stop:
            return
        said = _said(result)
        if any(mark in said for mark in BEHIND):
            raise _behind()
        raise RemoteRefused("push_refused", f"The repository took no push: {said}")

    def _reach(self, arguments: Sequence[str], output: int = MORE_BYTES) -> bytes:
        """What git answers to a command that needs the network."""
        result = self._start(["git", "-C", DIRECTORY, *arguments], network=True, output=output)
        if result.exit_code or result.stop:
            raise RemoteRefused("not_reached", f"The repository cannot be read: {_said(result)}")
        return result.stdout

    def _git(self, arguments: Sequence[str], stdin: bytes = b"", output: int = MORE_BYTES) -> bytes:
        return self._run(["git", "-C", DIRECTORY, *arguments], stdin, output)

    def _run(self, arguments: Sequence[str], stdin: bytes = b"", output: int = MORE_BYTES) -> bytes:
        result = self._start(arguments, stdin=stdin, output=output)
        if result.exit_code or result.stop:
            raise RemoteRefused("not_reached", f"git failed at {arguments[3]}: {_said(result)}")
        return result.stdout

    def _start(
        self, arguments: Sequence[str], network: bool = False, stdin: bytes = b"", output: int = MORE_BYTES
    ) -> CommandResult:
        home = self.workspace.working_directory
        ssh = f"ssh -F /dev/null -o BatchMode=yes -o IdentitiesOnly=yes -o UserKnownHostsFile={home}/known_hosts"
        own = {"GIT_SSH_COMMAND": f"{ssh} -o StrictHostKeyChecking=yes -i {home}/key"}
        command = Command(
            arguments,
            stdin=stdin,
            variables={**variables(f"{home}/gitconfig"), **own},
            timeout=SECONDS,
            max_output_bytes=output,
            network=network,
            own_home=True,
        )
        try:
            return self.workspace.run(command)
        except OSError as error:
            raise RemoteRefused("no_sandbox", f"{arguments[0]} cannot be started: {error.strerror or error}") from error


def _header(address: str, login: Login) -> bytes:
    """What signs in over http: for this address and no other, and in a file, which no list of processes shows."""
    if not address.startswith("http") or not login.password:
        return b""
    token = b64encode(f"{login.user or 'git'}:{login.password}".encode()).decode()
    return f'[http "{address}"]\n\textraHeader = "Authorization: Basic {token}"\n'.encode()


def _said(result: CommandResult) -> str:
    """Why git ended, in its own words."""
    if result.stop is Stop.TIMEOUT:
        return f"it took longer than {SECONDS:g} seconds."
    said = result.stderr.decode("utf-8", "replace").strip()[-MAX_MESSAGE:]
    return said or result.stop or f"git gave no reason and ended with exit code {result.exit_code}."


def _behind() -> RemoteRefused:
    return RemoteRefused("behind", "Somebody pushed to the branch meanwhile. Pull first, then push again.")
