"""What a container may use and see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docker.types import Ulimit

from runs.sandbox.container.calls import profile
from runs.sandbox.container.engine import LABEL_OF_PLACE
from runs.sandbox.places import WorkspacePlace
from runs.sandbox.programs import TEMPORARY

# The home of commands that have one of their own. Of a folder that the image has, the engine would take the mode over.
HOME = "/packwright-home"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of all containers of one place; `name` tells whose they are when a worker died, `processors` how
    many the engine has, where that counts."""

    place: WorkspacePlace
    name: str
    processors: int

    def fixed(self, directory: str, variables: Mapping[str, str], *, network: bool = False) -> dict[str, Any]:
        """Arguments for the engine that hold whatever the command is; `network` gives it one in any case.

        PATH belongs to the image.
        """
        room, limits = self.place.room, self.place.room.limits
        return {
            "entrypoint": [],
            "working_dir": directory,
            "environment": {name: value for name, value in variables.items() if name != "PATH"},
            "user": self.user,
            "network_mode": "bridge" if room.network or network else "none",
            "mem_limit": limits.memory_bytes,
            # The same again means: no swap.
            "memswap_limit": limits.memory_bytes,
            "pids_limit": limits.processes,
            **self._processors(),
            "ulimits": [
                Ulimit(name="nofile", soft=limits.open_files, hard=limits.open_files),
                Ulimit(name="fsize", soft=limits.file_bytes, hard=limits.file_bytes),
                Ulimit(name="cpu", soft=limits.cpu_seconds, hard=limits.cpu_seconds),
                Ulimit(name="core", soft=0, hard=0),
            ],
            "read_only": True,
            "tmpfs": dict.fromkeys((TEMPORARY, HOME), f"size={limits.scratch_bytes},mode=1777"),
            "shm_size": limits.scratch_bytes,
            "cap_drop": ["ALL"],
            "security_opt": ["no-new-privileges", f"seccomp={profile()}"],
            # Reaps what the program leaves, and lets it be ended by signals as anywhere else.
            "init": True,
            "stdin_open": True,
            "labels": {LABEL_OF_PLACE: self.name},
        }

    def _processors(self) -> dict[str, int]:
        """The limit of processors, where there is one that says less than what the engine has."""
        stated = self.place.room.limits.processors
        if stated is None or stated >= self.processors:
            return {}
        return {"nano_cpus": round(stated * 1_000_000_000)}

    @property
    def user(self) -> str:
        """The user that programs run as: that of the place, or the worker's own."""
        status = self.place.work.stat()
        number = status.st_uid if self.place.owner is None else self.place.owner
        return f"{number}:{number if self.place.owner is not None else status.st_gid}"

    def mounts(self, locked: Mapping[str, str], shared_paths: Sequence[str] = ()) -> list[str]:
        """The workspace, its read-only files (paths here to paths there) and what the machine shares."""
        shared = [f"{path}:{path}:ro" for path in (*self.place.room.shared_paths, *shared_paths)]
        sealed = [f"{here}:{there}:ro" for here, there in locked.items()]
        return [f"{self.place.work}:{self.place.room.working_directory}:rw", *sealed, *shared]
