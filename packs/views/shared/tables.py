"""What pages that take tables share: what they accept, and how what waits is read."""

import io
from collections.abc import Mapping
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from packs import blobs
from packs.formats.tables import Table, Trouble, read_beginning, read_table
from packs.grid.beginnings import NO_ROWS
from packs.models import Upload

MAX_BYTES = 256 * 1024 * 1024
# Bytes of a table that a request reads whole; of a longer one the page needs names and samples, for which these do.
MAX_READ = 1024 * 1024
HEAD = 128 * 1024
SAMPLES = 10
ACCEPTED = ".csv,.tsv,.tab,.txt,.jsonl,.ndjson,.json,.parquet,text/csv,application/jsonl,application/json"


def refusal_of(file: "UploadedFile[bytes] | None", text: str) -> str:
    """Why what was sent cannot be a table; empty where it can."""
    if file is None and not text.strip():
        return "Paste cells, or choose a file."
    if file is not None and not file.size:
        return f"{file.name} is empty."
    if file is not None and (file.size or 0) > MAX_BYTES:
        return f"The file is larger than {MAX_BYTES // 1024 // 1024} MB."
    stream = io.BytesIO(text.encode("utf-8", "replace")) if file is None else file
    found = read_beginning(stream, HEAD)
    stream.seek(0)
    if found.names:
        return ""
    return sentence(found.troubles[0]) if found.troubles else NO_ROWS


def sentence(trouble: Trouble) -> str:
    return f"Line {trouble.line:,}: {trouble.reason}" if trouble.line else trouble.reason


def is_whole(waiting: Upload) -> bool:
    """Whether a request reads all of a table that waits."""
    return waiting.blob.size <= MAX_READ


def read_upload(waiting: Upload, *, has_names: bool) -> Table:
    """The table of an upload, of a long one the beginning."""
    with blobs.open_stream(waiting.blob) as stream:
        if is_whole(waiting):
            return read_table(stream.read(), has_names=has_names)
        return read_beginning(stream, HEAD, has_names=has_names)


def is_refused(report: Mapping[str, Any], *, takes_errors: bool) -> bool:
    """Whether something of a table stands in the way of all of it."""
    return bool(report["refused"] or (not takes_errors and (report["broken"] or report["elsewhere"])))
