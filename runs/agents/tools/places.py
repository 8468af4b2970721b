"""Where tools may read and write: below the working directory, and below the roots that the task states."""

from pathlib import PurePosixPath

from runs.agents.tools.contract import Bench, Origin, ToolFailed


def readable(bench: Bench, path: str) -> str:
    """A path that may be read, relative to the working directory. Raises ToolFailed."""
    return _within(bench, path, bench.readable_roots, "read")


def writable(bench: Bench, path: str) -> str:
    """A path that may be written, relative to the working directory. Raises ToolFailed."""
    return _within(bench, path, bench.writable_roots, "write")


def _within(bench: Bench, path: str, roots: tuple[str, ...], verb: str) -> str:
    relative = relative_path(bench, path)
    allowed = [_root(bench, root) for root in roots]
    if roots and not any(root is not None and relative.is_relative_to(root) for root in allowed):
        raise ToolFailed(f"the policy of this task does not let tools {verb} {path!r}", Origin.POLICY)
    return relative.as_posix()


def _root(bench: Bench, root: str) -> PurePosixPath | None:
    """A root that lies in the workspace; None for another, which opens nothing there."""
    try:
        return relative_path(bench, root)
    except ToolFailed:
        return None


def relative_path(bench: Bench, path: str) -> PurePosixPath:
    """A path in the workspace, relative to the working directory. Raises ToolFailed for one that leaves it."""
    pure = PurePosixPath(path.strip() or ".")
    if pure.is_absolute():
        if not pure.is_relative_to(bench.working_directory):
            raise ToolFailed(f"{path!r} lies outside of the workspace {bench.working_directory}")
        pure = pure.relative_to(bench.working_directory)
    if ".." in pure.parts or "\0" in path:
        raise ToolFailed(f"{path!r} leaves the workspace")
    return pure
