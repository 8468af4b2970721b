"""What the workspace of a task is to be."""

from collections.abc import Callable
from dataclasses import replace

from packs.formats.task import Environment, Task, WorkspaceFile
from runs.agents.contract import PackProblem
from runs.sandbox.contract import Limits, Room

# Gives the bytes of a file that a task names but does not hold; None while nobody has them.
ReadAsset = Callable[[WorkspaceFile], bytes | None]


def without_assets(file: WorkspaceFile) -> None:
    """Reads no asset at all."""


def content_of(file: WorkspaceFile, read_asset: ReadAsset) -> bytes | None:
    """The bytes of a file of a task; None while nobody has them."""
    return file.text.encode() if file.text is not None else read_asset(file)


def room_of(task: Task, read_asset: ReadAsset) -> Room:
    """The room of a task. A file whose bytes nobody has stays a name and a path (challenge-pack c.3).

    Raises PackProblem where no room can be made as the task is written.
    """
    environment = task.environment
    if environment.obstacle:
        raise PackProblem(environment.obstacle)
    files: dict[str, bytes] = {}
    for file in environment.files:
        content = content_of(file, read_asset)
        if content is not None:
            files[file.path] = content
    return Room(
        working_directory=environment.working_directory,
        files=files,
        read_only=frozenset(file.path for file in environment.files if file.read_only and file.path in files),
        variables=environment.variables,
        network=environment.network,
        image=environment.image,
        image_is_optional=environment.image_is_optional,
        materialize_from_image=environment.materialize_from_image,
        limits=limits_of(environment),
    )


def limits_of(environment: Environment) -> Limits:
    """What the workspace may hold: as much as every one, or less where the task says so (challenge-pack a.4)."""
    limits, stated = Limits(), environment.filesystem.get("max_workspace_bytes")
    if not isinstance(stated, int) or isinstance(stated, bool) or not 0 < stated < limits.disk_bytes:
        return limits
    return replace(limits, disk_bytes=stated, file_bytes=min(stated, limits.file_bytes))
