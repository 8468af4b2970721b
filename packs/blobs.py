"""Bytes, stored once per content under their SHA-256 in the default file storage, and the rows that refer to them.

Rows refer to bytes by foreign keys and, in JSON, by digests (`DIGESTS`). Whatever else a row says in such a column only
keeps bytes longer.
"""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage, default_storage
from django.db.models import ManyToOneRel, Q
from django.utils import timezone

from packs.models import Blob, Edit, Job, PackVersion, Team

# The storage's folder for bytes.
ROOT = "blobs"
PORTION = 1024 * 1024
# Bytes that are given again within this time are not noted anew; the sweep waits much longer.
FRESH = timedelta(hours=1)
# Rows that name bytes in JSON, and the columns in which they do.
DIGESTS: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (Edit.objects.filter(Q(kind="asset") | Q(action__in=("files", "source"))), ("old", "new")),
    (PackVersion.objects.all(), ("assets", "files")),
    (Job.objects.all(), ("parameters", "outcome")),
)
DIGEST = re.compile(r"[0-9a-f]{64}")
ROWS_AT_ONCE = 500


def name_of(digest: str) -> str:
    """Where the storage keeps the bytes with this SHA-256 (hexadecimal)."""
    return f"{ROOT}/{digest[:2]}/{digest}"


def digest_of(data: bytes) -> str:
    """The SHA-256 of bytes, hexadecimal: what their blob is called."""
    return hashlib.sha256(data).hexdigest()


def digest_of_files(files: Mapping[str, bytes]) -> str:
    """The SHA-256 over files: over the lines that sha256sum writes, `<SHA-256>  <name>`, sorted by name."""
    lines = (f"{digest_of(content)}  {name}\n" for name, content in sorted(files.items()))
    return digest_of("".join(lines).encode())


def put(data: bytes) -> Blob:
    """Store bytes, once however often they are given."""
    return _keep(digest_of(data), len(data), BytesIO(data))


def put_stream(portions: Iterable[bytes]) -> Blob:
    """Store bytes that come in portions, without holding them all in memory."""
    digest, size = hashlib.sha256(), 0
    with tempfile.TemporaryFile() as kept:
        for portion in portions:
            digest.update(portion)
            kept.write(portion)
            size += len(portion)
        kept.seek(0)
        return _keep(digest.hexdigest(), size, kept)


def _keep(digest: str, size: int, source: IO[bytes]) -> Blob:
    """The row first, then the file: from here on the sweep of bytes (`packs.jobs.sweeping`) leaves both alone."""
    now = timezone.now()
    blob, is_new = Blob.objects.get_or_create(digest=digest, defaults={"size": size, "stored_at": now})
    if not is_new and blob.stored_at < now - FRESH and not Blob.objects.filter(pk=digest).update(stored_at=now):
        # Swept since it was read.
        blob, is_new = Blob.objects.create(digest=digest, size=size, stored_at=now), True
    if is_new or not default_storage.exists(name_of(digest)):
        try:
            write_from(name_of(digest), source)
        except BaseException:
            if is_new:
                blob.delete()
            raise
    return blob


def write(name: str, data: bytes) -> None:
    """Write a file that is either whole or absent, whenever the machine stops."""
    write_from(name, BytesIO(data))


def write_from(name: str, source: IO[bytes]) -> None:
    """Write a file from an open one, whole or not at all."""
    if not isinstance(default_storage, FileSystemStorage):
        default_storage.save(name, File(source))
        return
    path = Path(default_storage.path(name))
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".incoming-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            shutil.copyfileobj(source, file, PORTION)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def open_stream(blob: Blob | str) -> IO[Any]:
    """The bytes of a blob, or of a digest, as an open file.

    Raises FileNotFoundError when the storage has lost them.
    """
    digest = blob if isinstance(blob, str) else blob.digest
    return default_storage.open(name_of(digest), "rb")


def read(blob: Blob | str) -> bytes:
    """The bytes of a blob or of a digest.

    Raises FileNotFoundError when the storage has lost them.
    """
    with open_stream(blob) as stream:
        content: bytes = stream.read()
    return content


def referring() -> Iterator[tuple[type[Any], str]]:
    """Every kind of row, of any application, with the foreign key by which it refers to bytes."""
    for related in Blob._meta.get_fields(include_hidden=True):
        if isinstance(related, ManyToOneRel):
            yield related.related_model, related.field.name


def digests_in_json(team: Team | None = None) -> Iterator[str]:
    """The digests that rows name in JSON: those of a team, or all."""
    for rows, columns in DIGESTS:
        named = rows if team is None else rows.filter(**{rows.team_path: team})
        for row in named.order_by().values_list(*columns).iterator(chunk_size=ROWS_AT_ONCE):
            yield from DIGEST.findall(repr(row))
