"""Remove a folder that programs of an agent could fill as they liked."""

import contextlib
import shutil
import subprocess
from pathlib import Path

from runs.sandbox.opening import unlock


def remove_folder(folder: Path) -> None:
    """Remove a folder with all that is in it; what resists stays, without an error.

    Of a link that stands in its place only the link is removed.
    """
    with contextlib.suppress(OSError):
        # Mostly it is empty, which is the quickest to find out by trying.
        folder.rmdir()
        return
    if folder.is_symlink():
        with contextlib.suppress(OSError):
            folder.unlink()
        return
    if not folder.exists():
        return
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if not folder.exists():
        return
    unlock(folder)
    # Directories without permissions, and nesting deeper than Python descends: the system's own tools know both.
    for tool in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
        subprocess.run([*tool, "--", str(folder)], stderr=subprocess.DEVNULL, check=False)
