"""Bytes, stored once per content under their SHA-256 in the default file storage."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage, default_storage

from packs.models import Blob

PORTION = 1024 * 1024


def name_of(digest: str) -> str:
    """Where the storage keeps the bytes with this SHA-256 (hexadecimal)."""
    return f"blobs/{digest[:2]}/{digest}"


def digest_of(data: bytes) -> str:
    """The SHA-256 of bytes, hexadecimal: what their blob is called."""
    return hashlib.sha256(data).hexdigest()


def digest_of_files(files: Mapping[str, bytes]) -> str:
    """The SHA-256 over files: over the lines that sha256sum writes, `<SHA-256>  <name>`, sorted by name."""
    lines = (f"{digest_of(content)}  {name}\n" for name, content in sorted(files.items()))
    return digest_of("".join(lines).encode())


def put(data: bytes) -> Blob:
    """Store bytes, once however often they are given."""
    digest = digest_of(data)
    name = name_of(digest)
    if not default_storage.exists(name):
        write(name, data)
    blob, _ = Blob.objects.get_or_create(digest=digest, defaults={"size": len(data)})
    return blob


def put_stream(portions: Iterable[bytes]) -> Blob:
    """Store bytes that come in portions, without holding them all in memory."""
    digest, size = hashlib.sha256(), 0
    with tempfile.TemporaryFile() as kept:
        for portion in portions:
            digest.update(portion)
            kept.write(portion)
            size += len(portion)
        kept.seek(0)
        name = name_of(digest.hexdigest())
        if not default_storage.exists(name):
            write_from(name, kept)
    blob, _ = Blob.objects.get_or_create(digest=digest.hexdigest(), defaults={"size": size})
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
