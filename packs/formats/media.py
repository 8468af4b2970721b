"""Kinds of files by the endings of their names, the same on every machine."""

from collections.abc import Mapping
from mimetypes import types_map
from posixpath import splitext

# What the standard library does not know in every version, or knows by another name.
_OWN: Mapping[str, str] = {
    ".csv": "text/csv",
    ".doc": "application/msword",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".epub": "application/epub+zip",
    ".htm": "text/html",
    ".html": "text/html",
    ".ipynb": "application/x-ipynb+json",
    ".json": "application/json",
    ".markdown": "text/markdown",
    ".md": "text/markdown",
    ".odp": "application/vnd.oasis.opendocument.presentation",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".ppt": "application/vnd.ms-powerpoint",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".rtf": "application/rtf",
    ".sql": "application/sql",
    ".sqlite": "application/vnd.sqlite3",
    ".txt": "text/plain",
    ".webp": "image/webp",
    ".xls": "application/vnd.ms-excel",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".zip": "application/zip",
}
UNKNOWN = "application/octet-stream"


def media_type(path: str) -> str:
    """The kind of a file by its name; `application/octet-stream` where that says nothing."""
    return _of_ending(splitext(path)[1]) or UNKNOWN


def read_type(stated: str) -> str:
    """The kind that an author means by an ending (xlsx, .xlsx) or by the kind itself; what nobody knows as it is."""
    plain = stated.strip().lower()
    return plain if "/" in plain else _of_ending(f".{plain.removeprefix('.')}") or plain.removeprefix(".")


def is_meant(stated: str, path: str) -> bool:
    """Whether an author's word for a kind of files means a file of this name."""
    return read_type(stated) in (media_type(path), splitext(path)[1].lower().removeprefix("."))


def _of_ending(ending: str) -> str:
    plain = ending.lower()
    return _OWN.get(plain, "") or types_map.get(plain, "")
