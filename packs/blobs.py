"""Bytes, stored once per content under their SHA-256 in the default file storage."""

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage

from packs.models import Blob


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


def write(name: str, data: bytes) -> None:
    """Write a file that is either whole or absent, whenever the machine stops."""
    if not isinstance(default_storage, FileSystemStorage):
        default_storage.save(name, ContentFile(data))
        return
    path = Path(default_storage.path(name))
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".incoming-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
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
