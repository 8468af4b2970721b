"""The file of a backup: a zip with `manifest.json`, a file of rows for each table, and the stored files.

`tables/<table>.jsonl` has one JSON list a row, its values in the order of the manifest's `columns`. `files/<SHA-256>`
has the bytes of a blob. The manifest is written last and says what everything else must be, so that a reader can tell
whether the file is whole. Everything is written and read in portions.
"""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

FORMAT = 1
MANIFEST = "manifest.json"
PORTION = 1024 * 1024
# Rows and most files shrink to a quarter; more effort saves little and takes long.
EFFORT = 1
# What a damaged zip raises; the last two where it seems encrypted or of an unknown kind, or a name is not text.
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError)


class Damaged(Exception):
    """A file that is no backup, or no longer what was written; the message says where."""


@dataclass(frozen=True, slots=True)
class Table:
    """What the file holds of a table. `last` is the number that its newest row got; 0 where rows are not numbered."""

    columns: list[str]
    rows: int
    digest: str
    last: int = 0


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds.

    `migrations` names by application what its tables had been through; `files` gives the size of each by its SHA-256,
    `lost` those whose bytes the storage no longer had. `sealed` is a text that only the studio's own key opens.
    """

    made_at: str
    database: str
    migrations: dict[str, list[str]]
    sealed: str
    tables: dict[str, Table] = field(default_factory=dict)
    files: dict[str, int] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    format: int = FORMAT

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(self.files.values())


def rows_name(table: str) -> str:
    return f"tables/{table}.jsonl"


def file_name(digest: str) -> str:
    return f"files/{digest}"


class Writer:
    """Writes a backup into an open file; what was written is noted in `manifest`."""

    def __init__(self, target: IO[bytes], manifest: Manifest) -> None:
        self.zip = zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=EFFORT)
        self.manifest = manifest

    def add_rows(self, table: str, columns: list[str], lines: Iterable[bytes], last: int) -> None:
        digest, rows = hashlib.sha256(), 0
        with self.zip.open(rows_name(table), "w", force_zip64=True) as entry:
            for line in lines:
                digest.update(line)
                entry.write(line)
                rows += 1
        self.manifest.tables[table] = Table(columns, rows, digest.hexdigest(), last)

    def add_file(self, digest: str, size: int, source: IO[bytes]) -> bool:
        """Copy the bytes of a blob. False, and noted as lost, where they are not those of its digest."""
        found = hashlib.sha256()
        with self.zip.open(file_name(digest), "w", force_zip64=True) as entry:
            for portion in portions_of(source):
                found.update(portion)
                entry.write(portion)
        if found.hexdigest() == digest:
            self.manifest.files[digest] = size
            return True
        self.manifest.lost.append(digest)
        return False

    def close(self) -> None:
        """Write the manifest and end the file."""
        self.zip.writestr(MANIFEST, json.dumps(asdict(self.manifest), indent=1))
        self.zip.close()


class Reader:
    """Reads a backup. Every method raises Damaged."""

    def __init__(self, opened: zipfile.ZipFile) -> None:
        self.zip = opened
        self.manifest = manifest_of(opened)

    def rows_of(self, table: str) -> Iterator[bytes]:
        with self._entry(rows_name(table)) as entry:
            yield from entry

    @contextmanager
    def file(self, digest: str) -> Iterator[IO[bytes]]:
        with self._entry(file_name(digest)) as entry:
            yield entry

    def verify(self, tick: Callable[[str], None] = lambda name: None) -> None:
        """Read all of it and compare it with the manifest."""
        for name, table in self.manifest.tables.items():
            tick(name)
            digest, rows = hashlib.sha256(), 0
            for line in self.rows_of(name):
                digest.update(line)
                rows += 1
            if (digest.hexdigest(), rows) != (table.digest, table.rows):
                raise Damaged(f"The rows of {name} are not those that were saved.")
        tick("files")
        for name, size in self.manifest.files.items():
            with self.file(name) as source:
                found, read = hashlib.sha256(), 0
                for portion in portions_of(source):
                    found.update(portion)
                    read += len(portion)
            if (found.hexdigest(), read) != (name, size):
                raise Damaged(f"The file {name} is not the one that was saved.")

    @contextmanager
    def _entry(self, name: str) -> Iterator[IO[bytes]]:
        with reading(name), entry_of(self.zip, name) as entry:
            yield entry


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Raises Damaged for what a zip says when it cannot be read."""
    try:
        yield
    except KeyError:
        raise Damaged(f"{name} is missing in it.") from None
    except UNREADABLE as error:
        raise Damaged(f"{name} cannot be read: {error}.") from error


def entry_of(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """Raises KeyError and UNREADABLE, and no OSError: people would take it for trouble of the disk."""
    entry = archive.getinfo(name)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile("it is packed in a way that no backup uses")
    try:
        return archive.open(entry)
    except OSError as error:
        # The place where it begins can lie before the file.
        raise zipfile.BadZipFile(str(error)) from error


@contextmanager
def opened(path: Path) -> Iterator[Reader]:
    """A backup to read from. Raises Damaged, OSError."""
    try:
        archive = zipfile.ZipFile(path)
    except UNREADABLE as error:
        raise Damaged("It is not a backup, or only a part of one.") from error
    with archive:
        yield Reader(archive)


def manifest_of(archive: zipfile.ZipFile) -> Manifest:
    """Raises Damaged, also for a backup that a newer studio wrote in another way."""
    with reading(MANIFEST), entry_of(archive, MANIFEST) as entry:
        try:
            value: Mapping[str, Any] = json.load(entry)
            if value["format"] != FORMAT:
                raise Damaged(f"It was written in form {value['format']}; this studio reads form {FORMAT}.")
            tables = {name: Table(**table) for name, table in value["tables"].items()}
            return Manifest(**{**value, "tables": tables})
        except (ValueError, TypeError, LookupError) as error:
            raise Damaged(f"{MANIFEST} cannot be read.") from error


def portions_of(source: IO[bytes]) -> Iterator[bytes]:
    while portion := source.read(PORTION):
        yield portion
