"""Which sandbox a workspace is opened in: as the administrator decided, and as this machine can."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property

from runs.sandbox.contract import MEBIBYTE, Isolation, Limits, Room, Sandbox, SandboxUnavailable, Workspace
from runs.sandbox.packages import lacking_here

# The kind that runs tasks which name an image, and no others.
OF_IMAGES = "container"
SANDBOX_SETTING, LOCAL_SETTING = "PACKWRIGHT_SANDBOX", "PACKWRIGHT_ALLOW_LOCAL_COMMANDS"
NETWORK_SETTING = "PACKWRIGHT_SANDBOX_NETWORK"
MEMORY_SETTING = "PACKWRIGHT_SANDBOX_MEMORY"


@dataclass(frozen=True)
class Policy:
    """What the administrator decided: a kind or "" for the best one, and what confined programs may see and reach.

    `memory_bytes` is what a task may ask for; what every task has is not refused.
    """

    kind: str = ""
    allows_local: bool = False
    allows_network: bool = False
    shared_paths: tuple[str, ...] = ()
    memory_bytes: int = Limits().memory_bytes


def policy_of(environment: Mapping[str, str]) -> Policy:
    """What the settings of a studio's environment decide, for commands that run without the studio."""
    allows_local = environment.get(LOCAL_SETTING, "").lower() in ("1", "true", "yes", "on")
    return Policy(kind=environment.get(SANDBOX_SETTING, ""), allows_local=allows_local)


@dataclass(frozen=True)
class Choice:
    """The sandbox of this machine under a policy; a sandbox itself, which opens each room in the right kind."""

    sandboxes: Mapping[str, Sandbox]
    policy: Policy

    @cached_property
    def kind(self) -> str:
        """The name of the kind; empty when there is none."""
        return next((kind for kind in self._wanted if not self.obstacle_of(kind)), "")

    @property
    def LABEL(self) -> str:
        return self.sandboxes[self.kind].LABEL if self.kind else ""

    @property
    def HELP(self) -> str:
        return self.sandboxes[self.kind].HELP if self.kind else ""

    @property
    def ISOLATION(self) -> Isolation:
        return self.sandboxes[self.kind].ISOLATION if self.kind else Isolation.NONE

    def obstacle(self) -> str:
        """Why no program can run on this machine; empty when one can."""
        if self.kind:
            return ""
        reasons = [f"{kind}: {self.obstacle_of(kind)}" for kind in self._wanted]
        return f"No sandbox can be used on this machine. {' '.join(reasons)}"

    def obstacle_of(self, kind: str) -> str:
        """Why one kind cannot be taken."""
        if kind not in self.sandboxes:
            return f"there is no sandbox of this kind; {SANDBOX_SETTING} is one of {', '.join(self.sandboxes)}."
        if self.sandboxes[kind].ISOLATION is Isolation.NONE and not self.policy.allows_local:
            return f"it does not confine programs. {LOCAL_SETTING}=true allows it where all programs are trusted."
        return self.sandboxes[kind].obstacle()

    def open_workspace(self, room: Room) -> AbstractContextManager[Workspace]:
        """A workspace in the right kind. Raises as the contract says."""
        if room.image and room.image_is_optional and self.obstacle_of(OF_IMAGES):
            room = replace(room, image="")
        kind = OF_IMAGES if room.image else self.kind
        obstacle = self.obstacle_of(kind) if kind else self.obstacle()
        if kind == OF_IMAGES and kind not in self.sandboxes:
            obstacle = "this studio has no sandbox for images."
        if obstacle:
            asked = f"The task runs in the image {room.image!r}: " if room.image else ""
            raise SandboxUnavailable(asked + obstacle)
        sandbox = self.sandboxes[kind]
        self._refuse_memory(room)
        if kind != OF_IMAGES:
            _refuse_packages(room)
        if room.network and not self.policy.allows_network and sandbox.ISOLATION is not Isolation.NONE:
            raise SandboxUnavailable(
                f"The task asks for the network, which programs do not have here. {NETWORK_SETTING}=true allows it."
            )
        return sandbox.open_workspace(replace(room, shared_paths=(*room.shared_paths, *self.policy.shared_paths)))

    def _refuse_memory(self, room: Room) -> None:
        most, asked = max(self.policy.memory_bytes, Limits().memory_bytes), room.limits.memory_bytes
        if asked > most:
            raise SandboxUnavailable(
                f"The task asks for {asked // MEBIBYTE} MiB of memory, programs have at most {most // MEBIBYTE} here. "
                f"{MEMORY_SETTING}={-(-asked // MEBIBYTE)} allows it."
            )

    @property
    def _wanted(self) -> tuple[str, ...]:
        return (self.policy.kind,) if self.policy.kind else tuple(kind for kind in self.sandboxes if kind != OF_IMAGES)


def _refuse_packages(room: Room) -> None:
    """Programs of the machine itself are what is installed on it: nothing is added for a task."""
    missing = lacking_here(room.packages)
    if missing:
        raise SandboxUnavailable(
            f"The task needs the packages {', '.join(missing)}, which this machine lacks: an administrator installs "
            f"them with apt-get install {' '.join(missing)}, or the task names an image (sandbox_template_id)."
        )
