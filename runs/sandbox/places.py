"""A place for one confined workspace: its folder, the user that programs run as, and the limits that the kernel keeps.

Root can give more than an ordinary user: a user number of its own, a file system that ends at a size, and mostly a
control group. What the kernel cannot keep is watched instead.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from runs.sandbox import cgroups, mounts
from runs.sandbox.contract import Room, SandboxUnavailable, Stop
from runs.sandbox.slots import Slot, drop_scratch, take_slot
from runs.sandbox.watching import Watch


@dataclass(frozen=True, slots=True)
class WorkspacePlace:
    """`owner` is the user that programs run as, None for the worker's own."""

    slot: Slot
    room: Room
    owner: int | None
    group: cgroups.Group | None
    has_quota: bool

    @property
    def work(self) -> Path:
        return self.slot.work

    def add_scratch(self) -> Path:
        """A temporary folder beside the workspace. Raises SandboxUnavailable."""
        scratch = self.slot.scratch
        try:
            scratch.mkdir()
            if self.has_quota:
                _mount_at(scratch, self.slot, self.room.limits.scratch_bytes, self.room)
            elif self.owner is not None:
                os.chown(scratch, self.owner, self.owner)
        except OSError as error:
            raise SandboxUnavailable(f"cannot make a temporary folder: {error}") from error
        return scratch

    def renew_scratch(self) -> None:
        """Put an empty temporary folder in the place of the present one. Raises SandboxUnavailable."""
        drop_scratch(self.slot.folder)
        self.add_scratch()

    def watch(self, first: Callable[[], int | None], used: Callable[[], tuple[int, int]]) -> Watch:
        """Looks after what has no limit here. `first` gives the process above all, `used` what the files take up."""
        return Watch(
            self.room.limits,
            first=None if self.group is not None else first,
            used=None if self.has_quota else used,
        )

    def reached(self) -> cgroups.Reached:
        """What the kernel has counted so far."""
        return self.group.reached() if self.group is not None else cgroups.Reached()


@dataclass(slots=True)
class Limited:
    """Tells which limit each command of a place has met. Most commands succeed, and then nothing is looked up."""

    place: WorkspacePlace
    before: cgroups.Reached | None = field(default_factory=cgroups.Reached)

    def begin(self) -> None:
        """A command is about to start."""
        if self.before is None:
            self.before = self.place.reached()

    def stop(self, exit_code: int) -> Stop:
        """Which limit the command that ended so has met, as far as the kernel tells."""
        before, self.before = self.before or cgroups.Reached(), None
        if exit_code == 0:
            return Stop.NONE
        is_out_of_room = self.place.has_quota and is_full(self.place.work)
        return self.place.reached().stop_since(before) or (Stop.DISK if is_out_of_room else Stop.NONE)


@contextmanager
def take_place(room: Room) -> Iterator[WorkspacePlace]:
    """A place with all the limits that this process can set. Raises SandboxUnavailable."""
    is_root = os.geteuid() == 0
    with take_slot() as slot:
        has_quota = is_root and _mount(slot, room)
        if is_root and not has_quota:
            os.chown(slot.work, slot.user, slot.user)
        group = cgroups.group_of(slot.number)
        if group is not None:
            slot.note_cgroups(group.folders)
            group.make(room.limits)
        yield WorkspacePlace(slot, room, slot.user if is_root else None, group, has_quota)


def _mount(slot: Slot, room: Room) -> bool:
    """Whether the workspace could be mounted: not every root may do that."""
    try:
        _mount_at(slot.work, slot, room.limits.disk_bytes, room)
    except PermissionError:
        return False
    except OSError as error:
        raise SandboxUnavailable(f"cannot mount a workspace: {error}") from error
    return True


def _mount_at(folder: Path, slot: Slot, size: int, room: Room) -> None:
    mounts.mount_memory(folder, size=size, inodes=room.limits.inodes, user=slot.user)


def is_full(folder: Path) -> bool:
    """Whether a file system has no room left for bytes or for files."""
    status = os.statvfs(folder)
    return status.f_bavail == 0 or status.f_favail == 0
