"""Repositories in a workspace: cloned in the sandbox from the pack, or from where an administrator allows (agentv D.2).

A clone is made without a checkout, then what the task names is resolved, walked back from, and checked out detached.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from posixpath import normpath

from packs.formats.repositories import allowed_address, allowed_folder
from packs.formats.task import Repository
from runs.agents.contract import Cancelled, never
from runs.engine.recorder import Recorder
from runs.engine.workspace.material import Material
from runs.engine.workspace.site import SetupFailed, Site
from runs.sandbox.contract import Command, CommandResult, Stop, Workspace
from runs.sandbox.git import CONFIG, SECONDS, variables

FULL_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
IDENTITY = ("-c", "user.name=Packwright", "-c", "user.email=packwright@localhost")
ADVICE = "an administrator allows it with PACKWRIGHT_WORKSPACE_SOURCES"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a repository comes from: a URL that git takes, a folder to read for that, and whether it needs a network.

    With `is_plain` the folder is no repository but files, which become one with a single commit.
    """

    url: str
    folder: str = ""
    needs_network: bool = False
    is_plain: bool = False


@dataclass(frozen=True, slots=True)
class Cloning:
    """Puts repositories into one workspace. `directory` is the folder of the pack from which paths are meant."""

    workspace: Workspace
    recorder: Recorder
    material: Material
    site: Site
    directory: str = ""
    is_cancelled: Callable[[], bool] = never

    def place(self, repository: Repository) -> None:
        """Clone one repository. Raises SetupFailed and Cancelled."""
        path, origin = place_of(repository), self.origin_of(repository)
        facts = {"path": path, "source": repository.location, "ref": repository.ref}
        try:
            if origin.is_plain:
                commit = self._adopt(origin, path)
            else:
                self._clone(repository, origin, path)
                commit = self._resolve(repository, origin, path)
                self._check_out(repository, commit, path)
        except SetupFailed as failure:
            self.recorder.tell("workspace.repository.failed", {**facts, "error": str(failure)})
            raise
        self.recorder.tell("workspace.repository.placed", {**facts, "commit": commit})

    def origin_of(self, repository: Repository) -> Origin:
        """Where a repository comes from. Raises SetupFailed for what nobody allows."""
        stated = checked(repository.location)
        inside = normpath(f"{self.directory}/{stated}".lstrip("/")) if not stated.startswith("/") else ""
        if repository.kind == "local" and inside and self.material.has_folder(inside):
            folder = Path(self.material.directory(inside))
            if (folder / "HEAD").is_file():
                # Empty folders of a repository do not survive in a pack.
                for name in ("objects", "refs"):
                    (folder / name).mkdir(exist_ok=True)
            return _of_folder(folder, self.material.lent.path)
        if repository.kind == "local":
            real = allowed_folder(self.site.sources, stated)
            if real is None:
                raise _refused(f"The folder {stated!r} is neither in the pack nor allowed: {ADVICE}.")
            return _of_folder(Path(real), real)
        url = allowed_address(self.site.sources, stated)
        if url is None:
            raise _refused(f"The repository {stated!r} is not allowed: {ADVICE}.")
        return Origin(url, needs_network=True)

    def _adopt(self, origin: Origin, path: str) -> str:
        """Files as a repository with one commit."""
        self.workspace.make_directory(path)
        self._run(["cp", "-r", f"{origin.url}/.", path], origin)
        self._git(path, ["init", "--quiet"], origin)
        self._git(path, ["add", "--all"], origin)
        self._git(path, [*IDENTITY, "commit", "--quiet", "--allow-empty", "--message", "As in the pack"], origin)
        return self._git(path, ["rev-parse", "HEAD"], origin)

    def _clone(self, repository: Repository, origin: Origin, path: str) -> None:
        options = ["--no-checkout"]
        if repository.depth is not None:
            options += ["--depth", str(repository.depth), "--no-single-branch"]
        if repository.filter:
            options += ["--filter", checked(repository.filter)]
        if repository.sparse:
            options.append("--sparse")
        self._run(["git", "clone", "--quiet", *options, "--", origin.url, path], origin)

    def _resolve(self, repository: Repository, origin: Origin, path: str) -> str:
        """The commit to check out, ancestors walked back."""
        ref = checked(repository.ref)
        if repository.resolve == "remote" and ref != "HEAD" and not FULL_ID.fullmatch(ref):
            found = self._run(["git", "ls-remote", "--", origin.url, ref, f"{ref}^{{}}"], origin).split("\n")
            # The peeled line of an annotated tag comes last, and names the commit.
            ref = found[-1].partition("\t")[0] or self._missing(repository)
        commit = self._look_up(ref, origin, path) or self._look_up(f"origin/{ref}", origin, path)
        if commit and repository.ancestor:
            commit = self._look_up(f"{commit}~{repository.ancestor}", origin, path)
        return commit or self._missing(repository)

    def _missing(self, repository: Repository) -> str:
        back = f", or not {repository.ancestor} commits before it" if repository.ancestor else ""
        raise _failed(f"{repository.ref!r} is not found in the repository for {repository.path!r}{back}.")

    def _look_up(self, ref: str, origin: Origin, path: str) -> str:
        result = self._start(["git", "-C", path, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}"], origin)
        return result.stdout.decode("utf-8", "replace").strip() if result.exit_code == 0 else ""

    def _check_out(self, repository: Repository, commit: str, path: str) -> None:
        origin = self.origin_of(repository)
        if repository.sparse:
            self._git(path, ["sparse-checkout", "set", "--cone", "--", *map(checked, repository.sparse)], origin)
        self._git(path, ["checkout", "--quiet", "--detach", commit], origin)

    def reset(self, path: str, *, is_strict: bool) -> None:
        """Throw away what was changed in a repository, and untracked files; ignored ones only where strict."""
        nowhere = Origin("")
        self._git(path, ["reset", "--quiet", "--hard"], nowhere)
        self._git(path, ["clean", "--quiet", "-ffdx" if is_strict else "-ffd"], nowhere)

    def _git(self, path: str, arguments: Sequence[str], origin: Origin) -> str:
        return self._run(["git", "-C", path, *arguments], origin)

    def _run(self, arguments: Sequence[str], origin: Origin) -> str:
        """What a command writes. Raises SetupFailed when it fails."""
        result = self._start(arguments, origin)
        if result.exit_code or result.stop:
            reported = result.stderr.decode("utf-8", "replace").strip()[-1000:]
            why = f"took longer than {SECONDS:g} seconds" if result.stop is Stop.TIMEOUT else reported or "failed"
            raise _failed(f"{' '.join(arguments[:4])}: {why}")
        return result.stdout.decode("utf-8", "replace").strip()

    def _start(self, arguments: Sequence[str], origin: Origin) -> CommandResult:
        lent = self.material.lent
        config = lent.add("gitconfig", CONFIG)
        command = Command(
            arguments,
            variables=variables(config),
            timeout=SECONDS,
            is_cancelled=self.is_cancelled,
            shared_paths=tuple({lent.path, *([origin.folder] if origin.folder else [])}),
            network=origin.needs_network,
            own_home=True,
        )
        try:
            result = self.workspace.run(command)
        except OSError as error:
            raise _failed(f"{arguments[0]} cannot be started: {error.strerror or error}") from error
        if result.stop is Stop.CANCELLED:
            raise Cancelled
        return result


def _of_folder(folder: Path, shared: str) -> Origin:
    """A folder of the machine as an origin."""
    is_bare = (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    if is_bare or (folder / ".git").exists():
        return Origin(f"file://{folder}", shared)
    return Origin(str(folder), shared, is_plain=True)


def place_of(repository: Repository) -> str:
    """The path of a repository in the workspace. Raises SetupFailed for one that leaves it."""
    pure = PurePosixPath(checked(repository.path))
    if pure.is_absolute() or ".." in pure.parts:
        raise _refused(f"The repository's path {repository.path!r} leaves the workspace.")
    return str(pure)


def checked(text: str) -> str:
    """A text that git may be given. Raises SetupFailed for one that could be an option, or is none at all."""
    if not text.strip() or "\0" in text or text.startswith("-"):
        raise _refused(f"{text!r} cannot be given to git.")
    return text


def _refused(message: str) -> SetupFailed:
    return SetupFailed(message, "clone_error", "repo_setup")


def _failed(message: str) -> SetupFailed:
    return SetupFailed(f"A repository could not be set up: {message}", "clone_error", "repo_setup")
