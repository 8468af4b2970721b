"""Where a task runs, and what is put there before its agent begins, in words that no format owns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from packs.formats.faults import ToolFault

Json = Any

# Programs that need a capability of their container, and which.
DANGEROUS_COMMANDS: Mapping[str, str] = {"chroot": "SYS_CHROOT"}


@dataclass(frozen=True, slots=True)
class WorkspaceFile:
    """A file that is put into the agent's working directory.

    `text` is the content; where it is None, the bytes are those of the pack's asset `asset_key` or file `path`.
    """

    path: str
    text: str | None = None
    asset_key: str = ""
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository that is put into a workspace at `path`, before the agent begins.

    `kind` is git (`location` is its URL) or local (`location` is a folder of the machine, which only an administrator
    can allow). `ref` is a branch, tag or commit; `resolve` says where it is looked up, remote or local. Then `ancestor`
    first parents are walked back. `depth` None means all of the history; `sparse` names what is checked out.
    """

    path: str
    kind: str
    location: str
    ref: str = "HEAD"
    resolve: str = "remote"
    ancestor: int = 0
    depth: int | None = None
    filter: str = ""
    sparse: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hook:
    """A command that runs at a point of a trial's life: before_all, before_each, after_each or after_all.

    It runs in `directory`, a folder of the pack ("" is the pack's own). Without a command only `reset` (none, fast or
    strict) acts. Placeholders in the arguments are filled in when it runs. One with an `agent` runs only in trials of
    the agent of that name.
    """

    point: str
    command: tuple[str, ...] = ()
    directory: str = ""
    timeout_seconds: float = 60.0
    reset: str = "none"
    agent: str = ""


@dataclass(frozen=True, slots=True)
class WorkspacePlan:
    """How the workspace of a task is made and looked after, beyond the files that it begins with.

    `isolation` is per_test or shared, `mode` temp, pooled or static, which works in the folder `path` of the machine.
    `container` has the limits of the environment's image: timeout in seconds, memory as text such as 2g, cpus.
    """

    isolation: str = "per_test"
    mode: str = "temp"
    path: str = ""
    repositories: tuple[Repository, ...] = ()
    hooks: tuple[Hook, ...] = ()
    required_commands: tuple[str, ...] = ()
    required_python_modules: tuple[str, ...] = ()
    container: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Capture:
    """A file, a directory listing or all files that are taken from the workspace after the agent ended.

    `kind` is file_capture, directory_listing or workspace_capture; `max_size_bytes` 0 means the default of 1 MiB.
    """

    key: str
    kind: str
    path: str
    recursive: bool = False
    max_size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Environment:
    """Where a task runs. `mode` is how the agent is driven: native, prompt_eval, responses or multi_turn.

    `obstacle` says what the author must fix before a workspace can be made; empty when nothing. `image` names a
    container image; where `image_is_optional`, a plain folder and the programs of the machine stand in for it on
    machines without containers. With `materialize_from_image` the workspace begins with the image's files.

    `files` are what the workspace begins with, `workspace` says what else is done to it. `material` are the files of
    the pack that hooks and graders may read, at their paths in the pack; they are never in the agent's workspace.
    """

    mode: str = "native"
    working_directory: str = "/workspace"
    files: tuple[WorkspaceFile, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    network: bool = False
    network_allowlist: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    image: str = ""
    image_is_optional: bool = False
    materialize_from_image: bool = False
    tools: dict[str, Json] = field(default_factory=dict)
    tool_policy: dict[str, Json] = field(default_factory=dict)
    filesystem: dict[str, Json] = field(default_factory=dict)
    captures: tuple[Capture, ...] = ()
    obstacle: str = ""
    workspace: WorkspacePlan | None = None
    material: tuple[WorkspaceFile, ...] = ()
    faults: tuple[ToolFault, ...] = ()
    planted: tuple[WorkspaceFile, ...] = ()
