"""How uploaded bytes are shown. They are hostile: nothing of them is ever run, drawn or unpacked by the page."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any

import orjson

from packs import blobs
from packs.formats.archives import what_archives_raise
from packs.models import Asset

MAX_PREVIEW = 20_000
MAX_PARSED = 1_000_000
MAX_ENTRIES = 200
# As many bytes of a text are edited in a page.
MAX_WRITTEN = 200_000
# An archive is looked into as far as these bytes, packed and unpacked.
MAX_PACKED = 50_000_000
MAX_UNPACKED = 32_000_000
# What a browser shows as a picture without running anything in it. SVG is not among them.
PICTURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"
TAR_AT, TAR = 257, b"ustar"


def head_of(row: Asset) -> bytes:
    with blobs.open_stream(str(row.blob_id)) as stream:
        data: bytes = stream.read(MAX_PREVIEW)
    return data


def picture_type(data: bytes) -> str:
    """The media type of a picture that may be shown; empty for everything else."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((name for magic, name in PICTURES.items() if data.startswith(magic)), "")


def preview(row: Asset) -> dict[str, Any]:
    """How the beginning of an asset is shown: as a picture, an archive's list, JSON, text or bytes."""
    if not row.blob_id:
        return {"kind": "none"}
    data, size = head_of(row), row.blob.size if row.blob else 0
    shown: dict[str, Any] = {"size": size, "is_cut": len(data) == MAX_PREVIEW}
    if picture_type(data):
        return {**shown, "kind": "picture"}
    entries = listing(row, data, size)
    if entries is not None:
        cut = len(entries) > MAX_ENTRIES
        return {**shown, "kind": "archive", "text": as_table(entries[:MAX_ENTRIES]), "is_cut": cut}
    text = as_json(row, data, size) or as_text(data)
    if text is None:
        return {**shown, "kind": "hex", "text": dump(data)}
    return {**shown, "kind": "text", "text": text[:MAX_PREVIEW], "is_cut": size > MAX_PREVIEW}


def written_text(row: Asset) -> str | None:
    """The whole content where people can edit it as text, empty where there is none yet; None for all other content.

    Browsers send no other line ends than those of a text area, so a text that mixes them is none of these.
    """
    if not row.blob_id:
        return ""
    if row.blob is None or row.blob.size > MAX_WRITTEN:
        return None
    try:
        text = blobs.read(row.blob_id).decode("utf-8")
    except UnicodeDecodeError:
        return None
    ends = "\r\n" if "\r" in text else "\n"
    return text if "\0" not in text and text == as_written(text, ends) else None


def as_written(text: str, ends: str) -> str:
    """A text with the same ends at all of its lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", ends)


def as_table(entries: list[tuple[str, int]]) -> str:
    """Names and sizes in bytes, one a line."""
    return "\n".join(f"{length:>12,}  {name}" for name, length in entries)


def as_json(row: Asset, head: bytes, size: int) -> str | None:
    """JSON in lines that people can read; None where it is none, or is long."""
    if size > MAX_PARSED or head[:1] not in (b"{", b"["):
        return None
    try:
        value = orjson.loads(blobs.read(str(row.blob_id)))
    except orjson.JSONDecodeError:
        return None
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def as_text(data: bytes) -> str | None:
    """The bytes as text; None when they are none. A character that the preview cuts in two does not count."""
    if b"\0" in data:
        return None
    text = data.decode("utf-8", "replace")
    return None if "\N{REPLACEMENT CHARACTER}" in text[:-3] else text


def dump(data: bytes, rows: int = 32) -> str:
    """The first bytes as hexadecimal numbers and characters, 16 a line."""
    lines = []
    for start in range(0, min(len(data), rows * 16), 16):
        part = data[start : start + 16]
        signs = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{start:08x}  {part.hex(' '):<47}  {signs}")
    return "\n".join(lines)


def listing(row: Asset, head: bytes, size: int) -> list[tuple[str, int]] | None:
    """Name and size of what an archive holds, a few more than are shown; None for what is no archive or too large."""
    read = _reader_of(head)
    if read is None or size > MAX_PACKED:
        return None
    with blobs.open_stream(str(row.blob_id)) as stream:
        try:
            return list(islice(read(stream), MAX_ENTRIES + 1))
        except what_archives_raise():
            return None


def _reader_of(head: bytes) -> Any:
    if head.startswith(ZIP):
        return _in_zip
    if head.startswith(GZIP):
        return _in_packed_tar
    return _in_tar if head[TAR_AT : TAR_AT + len(TAR)] == TAR else None


def _in_zip(stream: IO[bytes]) -> Iterator[tuple[str, int]]:
    with zipfile.ZipFile(stream) as archive:
        yield from ((entry.filename, entry.file_size) for entry in archive.infolist())


def _in_packed_tar(stream: IO[bytes]) -> Iterator[tuple[str, int]]:
    with gzip.GzipFile(fileobj=stream) as unpacked:
        yield from _in_tar(io.BytesIO(unpacked.read(MAX_UNPACKED)))


def _in_tar(stream: IO[bytes]) -> Iterator[tuple[str, int]]:
    with tarfile.open(fileobj=stream, mode="r:") as archive:
        yield from ((entry.name, entry.size) for entry in archive)
