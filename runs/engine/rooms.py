"""What the workspace of a task is to be."""

from collections.abc import Callable

from packs.formats.task import Task, WorkspaceFile
from runs.sandbox.contract import Room

# Gives the bytes of a file that a task names but does not hold; None while nobody has them.
ReadAsset = Callable[[WorkspaceFile], bytes | None]


def without_assets(file: WorkspaceFile) -> None:
    """Reads no asset at all."""


def content_of(file: WorkspaceFile, read_asset: ReadAsset) -> bytes | None:
    """The bytes of a file of a task; None while nobody has them."""
    return file.text.encode() if file.text is not None else read_asset(file)


def room_of(task: Task, read_asset: ReadAsset) -> Room:
    """The room of a task. A file whose bytes nobody has stays a name and a path (challenge-pack c.3)."""
    environment = task.environment
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
    )
