"""Uploads in and out: folders, archives and single files as files by name, within fixed limits."""

from packs.formats.archives.limits import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES
from packs.formats.archives.reading import (
    read_again,
    read_path,
    read_upload,
    read_uploads,
    read_within,
    read_zip,
    what_archives_raise,
)
from packs.formats.archives.writing import write_zip

__all__ = [
    "MAX_FILES",
    "MAX_FILE_BYTES",
    "MAX_TOTAL_BYTES",
    "read_again",
    "read_path",
    "read_upload",
    "read_uploads",
    "read_within",
    "read_zip",
    "what_archives_raise",
    "write_zip",
]
