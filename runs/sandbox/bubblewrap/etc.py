"""The `/etc` that programs see: a folder put together once from the few files that they need and may know.

One folder is mounted in one step; a mount for each file would take longer than starting the program.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from runs.sandbox.contract import SandboxUnavailable
from runs.sandbox.slots import FIRST_USER, MAX_SLOTS, base_folder

# Where libraries and default programs are, certificates, names of services. Nothing of this is particular to a machine.
TAKEN = (
    "ld.so.cache", "alternatives", "ssl/certs", "ssl/openssl.cnf", "pki/tls", "pki/ca-trust/extracted",
    "crypto-policies", "nsswitch.conf", "localtime", "os-release", "services", "protocols", "mime.types",
)  # fmt: skip
NOBODY = 65534
HOSTS = "127.0.0.1 localhost sandbox\n::1 localhost\n"


@cache
def folder_of_etc() -> Path:
    """The folder, made when it is not there in its present state. Raises SandboxUnavailable."""
    source = Path("/etc")
    target = base_folder().resolve() / f"etc-{_state(source)}"
    if target.is_dir():
        return target
    try:
        made = Path(tempfile.mkdtemp(prefix="etc-", dir=target.parent))
        compose(source, made)
        open_for_all(made)
        _keep(made, target)
    except OSError as error:
        raise SandboxUnavailable(f"cannot put the sandbox's /etc together: {error}") from error
    return target


def compose(source: Path, target: Path) -> None:
    """Fill a folder. Raises OSError."""
    for name in TAKEN:
        place = target / name
        if (source / name).exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            copy = _copy_folder if (source / name).is_dir() else shutil.copyfile
            copy(source / name, place)
    users = {"root": 0, "nobody": NOBODY, **{f"sandbox{n}": FIRST_USER + n for n in range(MAX_SLOTS)}}
    (target / "passwd").write_text("".join(f"{name}:x:{n}:{n}::/:/bin/sh\n" for name, n in users.items()))
    (target / "group").write_text("".join(f"{name}:x:{n}:\n" for name, n in users.items()))
    (target / "hosts").write_text(HOSTS)
    # The place for the machine's own where a sandbox has the network.
    (target / "resolv.conf").touch()


def open_for_all(folder: Path) -> None:
    """Let programs of every user read a folder with all that it holds. Raises OSError."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)


def _copy_folder(source: Path, target: Path) -> None:
    shutil.copytree(source, target, symlinks=True, ignore=_unreadable, dirs_exist_ok=True)


def _unreadable(folder: str, names: list[str]) -> list[str]:
    """What not everybody may read stays out, keys above all."""
    return [name for name in names if not _is_for_all(Path(folder, name))]


def _is_for_all(path: Path) -> bool:
    return path.is_symlink() or bool(path.stat().st_mode & 0o004)


def _keep(made: Path, target: Path) -> None:
    """Give the folder its name, unless another worker was quicker."""
    try:
        made.rename(target)
    except OSError:
        shutil.rmtree(made)
        if not target.is_dir():
            raise


def _state(source: Path) -> str:
    """A name for what the files are now, by their times and sizes."""
    reported = hashlib.sha256()
    for path in _all(source):
        status = path.lstat()
        reported.update(f"{path}\0{status.st_mtime_ns}\0{status.st_size}\n".encode())
    return reported.hexdigest()[:16]


def _all(source: Path) -> Iterator[Path]:
    for name in TAKEN:
        path = source / name
        if os.path.lexists(path):
            yield path
            yield from sorted(path.iterdir()) if path.is_dir() else ()
