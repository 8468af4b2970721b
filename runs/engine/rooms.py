"""What the workspace of a task is to be."""

from collections.abc import Callable
from dataclasses import replace

from packs.formats.sizes import bytes_of
from packs.formats.task import Environment, Task, WorkspaceFile
from runs.agents.contract import PackProblem
from runs.grading.graders.values import as_number
from runs.sandbox.contract import MEBIBYTE, Limits, Room

# Container engines take no less.
LEAST_MEMORY, LEAST_PROCESSORS = 6 * MEBIBYTE, 0.1
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
        planted={file.path: file.text.encode() for file in environment.planted if file.text is not None},
        read_only=frozenset(file.path for file in environment.files if file.read_only and file.path in files),
        variables=environment.variables,
        network=environment.network,
        image=environment.image,
        image_is_optional=environment.image_is_optional,
        materialize_from_image=environment.materialize_from_image,
        limits=limits_of(environment),
        packages=environment.packages,
    )


def limits_of(environment: Environment) -> Limits:
    """What the workspace may use up: as much as every one, less of the disk where the task says so (challenge-pack
    a.4), and as much memory and as many processors as it states for its container (agentv D.1).

    Raises PackProblem for what no container can be given.
    """
    limits, stated = Limits(), environment.filesystem.get("max_workspace_bytes")
    if isinstance(stated, int) and not isinstance(stated, bool) and 0 < stated < limits.disk_bytes:
        limits = replace(limits, disk_bytes=stated, file_bytes=min(stated, limits.file_bytes))
    container = environment.workspace.container if environment.workspace else {}
    memory, processors = container.get("memory"), container.get("cpus")
    if memory is not None:
        limits = replace(limits, memory_bytes=_memory(memory))
    return limits if processors is None else replace(limits, processors=_processors(processors))


def _memory(stated: object) -> int:
    size = bytes_of(stated)
    if size is None or size < LEAST_MEMORY:
        raise PackProblem(f"The container's memory {stated!r} is no size of at least 6m, such as 512m or 2g.")
    return size


def _processors(stated: object) -> float:
    count = as_number(stated)
    if count is None or not count >= LEAST_PROCESSORS:
        raise PackProblem(f"The container's cpus {stated!r} is not a number of at least {LEAST_PROCESSORS}.")
    return count
