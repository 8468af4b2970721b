"""From what a user gives (a file, a folder, a ZIP or TAR archive) to files by name."""

import os
import stat
from collections.abc import Callable, Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from packs.formats.adapter import Files
from packs.formats.archives.limits import (
    BROKEN,
    ENCRYPTED,
    LINK,
    MAX_FILES,
    MAX_TOTAL_BYTES,
    TOO_MANY_FILES,
    TOTAL_TOO_LARGE,
    UNREADABLE,
    Collector,
    is_litter,
)
from packs.formats.findings import Finding
from packs.formats.later import Later
from packs.formats.paths import own_name

if TYPE_CHECKING:
    import lzma
    import tarfile
    import zipfile
    import zlib
else:
    # Most packs are files or folders.
    lzma, tarfile, zipfile, zlib = map(Later, ("lzma", "tarfile", "zipfile", "zlib"))

_ZIP_ENTRY = b"PK\x01\x02"
_COMPRESSED = {b"\x1f\x8b": Later("gzip"), b"BZh": Later("bz2"), b"\xfd7zXZ\x00": Later("lzma")}


def read_path(path: Path) -> tuple[Files, list[Finding]]:
    """The files of a folder, of an archive, or one file under its own name; findings about what was left out.

    Links are refused, not followed; leftovers of systems (`.git`, `__MACOSX` and the like) are passed over.
    Raises OSError when the path itself does not exist or cannot be opened.
    """
    if path.is_dir():
        return _read_folder(path)
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(f"{path} is neither a file nor a folder")
    if path.stat().st_size > MAX_TOTAL_BYTES:
        collector = Collector()
        collector.report(TOTAL_TOO_LARGE, path.name, limit=MAX_TOTAL_BYTES)
        return collector.result()
    return read_upload(path.name, path.read_bytes())


def read_upload(name: str, data: bytes) -> tuple[Files, list[Finding]]:
    """The files of an archive, recognised by content, or the one file itself; see `own_name`."""
    return read_uploads([(name, data)])


def read_uploads(given: Iterable[tuple[str, bytes]]) -> tuple[Files, list[Finding]]:
    """The files of several uploads together, archives unpacked, within the limits of one."""
    collector = Collector()
    for name, data in given:
        _read(collector, name, data)
    return collector.result()


def read_within(given: Iterable[tuple[str, bytes]], most: int) -> tuple[Files, list[Finding]] | None:
    """What `read_uploads` gives, unless the files have more than `most` bytes; no more than that is unpacked then."""
    collector = Collector(most=most)
    for name, data in given:
        _read(collector, name, data)
    return None if collector.is_full else collector.result()


def read_again(name: str, data: bytes) -> Files:
    """The files of what was taken in before: whether it packs too well is not asked again."""
    collector = Collector(is_known=True)
    _read(collector, name, data)
    return collector.result()[0]


def read_zip(data: bytes) -> Files:
    """Every file of an archive that `write_zip` made, without limits. Raises zipfile.BadZipFile for damaged bytes."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return {info.orig_filename: archive.read(info) for info in archive.infolist()}


def _read(collector: Collector, name: str, data: bytes) -> None:
    if _is_zip(data):
        _guard(collector, name, lambda: _read_zip(collector, data))
    elif _is_tar(name, data):
        _guard(collector, name, lambda: _read_tar(collector, data))
    elif collector.admits(own := own_name(name), len(data)):
        collector.take(own, data)


def _guard(collector: Collector, name: str, act: Callable[[], None]) -> None:
    """Turn whatever a damaged or hostile archive makes the libraries raise into a finding."""
    try:
        act()
    except what_archives_raise() as error:
        collector.report(BROKEN, name, reason=str(error)[:200] or type(error).__name__)


def what_archives_raise() -> tuple[type[Exception], ...]:
    """What the libraries raise for damaged or hostile archives; asked for only where one of them raised."""
    own = (zipfile.BadZipFile, zipfile.LargeZipFile, tarfile.TarError, zlib.error, lzma.LZMAError)
    return (*own, EOFError, OSError, NotImplementedError, RuntimeError, ValueError, LookupError, OverflowError)


def _is_zip(data: bytes) -> bool:
    try:
        return data.startswith(b"PK") and zipfile.is_zipfile(BytesIO(data))
    except zipfile.BadZipFile:
        # One that names further parts of itself: an archive all the same, though it cannot be read.
        return True


def _read_zip(collector: Collector, data: bytes) -> None:
    # The directory is parsed as a whole when the archive is opened, so it is measured before.
    if data.count(_ZIP_ENTRY) > 2 * MAX_FILES:
        collector.stop(TOO_MANY_FILES, "", MAX_FILES)
        return
    with zipfile.ZipFile(BytesIO(data)) as archive:
        for info in archive.infolist():
            if not info.is_dir() and not collector.is_full:
                _read_zip_entry(collector, archive, info)


def _read_zip_entry(collector: Collector, archive: "zipfile.ZipFile", info: "zipfile.ZipInfo") -> None:
    # The name as stored: zipfile would cut it at a NUL and turn separators around.
    name = info.orig_filename
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        collector.report(LINK, name)
    elif info.flag_bits & 1:
        collector.report(ENCRYPTED, name)
    elif collector.admits(name, info.file_size, info.compress_size):
        with archive.open(info) as source:
            content = source.read(info.file_size + 1)
        collector.take(name, content)


def _is_tar(name: str, data: bytes) -> bool:
    is_named = name.lower().endswith((".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz"))
    return is_named or data[257:262] == b"ustar"


def _read_tar(collector: Collector, data: bytes) -> None:
    with tarfile.open(fileobj=BytesIO(_unpacked(collector, data)), mode="r:") as archive:
        for count, member in enumerate(archive):
            if count > 2 * MAX_FILES:
                collector.stop(TOO_MANY_FILES, "", MAX_FILES)
            if collector.is_full:
                return
            _read_tar_member(collector, archive, member)


def _unpacked(collector: Collector, data: bytes) -> bytes:
    """The plain TAR, unpacked only up to the limit, so that no header inside can ask for more memory."""
    library = next((library for magic, library in _COMPRESSED.items() if data.startswith(magic)), None)
    if library is None:
        return data
    limit = collector.most + MAX_FILES * 1024
    with library.open(BytesIO(data)) as source:
        plain: bytes = source.read(limit + 1)
    if len(plain) > limit:
        collector.stop(TOTAL_TOO_LARGE, "", collector.most)
        return b"\0" * 1024
    return plain


def _read_tar_member(collector: Collector, archive: "tarfile.TarFile", member: "tarfile.TarInfo") -> None:
    if member.isdir():
        return
    name = member.name.removeprefix("./")
    if not member.isreg() or member.issparse():
        collector.report(LINK, name)
    elif collector.admits(name, member.size):
        source = archive.extractfile(member)
        collector.take(name, source.read() if source else b"")


def _read_folder(folder: Path) -> tuple[Files, list[Finding]]:
    collector = Collector()
    for root, folders, names in os.walk(folder):
        for name in [*folders, *names]:
            _read_entry(collector, folder, Path(root, name))
        if collector.is_full:
            break
        folders[:] = sorted(name for name in folders if not is_litter(name))
    return collector.result()


def _read_entry(collector: Collector, folder: Path, path: Path) -> None:
    name = path.relative_to(folder).as_posix()
    try:
        status = path.lstat()
        if stat.S_ISDIR(status.st_mode) or is_litter(name):
            return
        if not stat.S_ISREG(status.st_mode):
            collector.report(LINK, name)
        elif collector.admits(name, status.st_size):
            collector.take(name, path.read_bytes())
    except OSError as error:
        collector.report(UNREADABLE, name, reason=error.strerror or type(error).__name__)
