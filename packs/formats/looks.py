"""What files look like that are no pack: a word for each, so that people see what they gave."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

from packs.formats import jsonio, yamlio
from packs.formats.adapter import Files
from packs.formats.archives import what_archives_raise
from packs.formats.findings import Finding, Rule, Severity
from packs.formats.later import Later

if TYPE_CHECKING:
    import zipfile
else:
    zipfile = Later("zipfile")

UNRECOGNISED = Rule(
    "pack.E001",
    "No format of a pack can be recognised{looks}.",
    hint="{advice}",
)
UNSUPPORTED = Rule(
    "pack.E003",
    "This is a configuration of promptfoo, which Packwright does not support yet.",
    hint="Nothing was read from it. Write the tests as an AgentV suite or another format that Packwright reads.",
)
MAX_TOLD = 10
ADVICE = "Check that the pack's main file is among the files, or state the format."
TABLE_ADVICE = "Make a pack of its rows: New pack, From a table."
_TABLES = (".csv", ".tsv", ".tab")

# The first bytes of files that are no text, what they are called, and what to do about them.
_PICTURE, _ARCHIVE = "Give the pack itself, not a picture of it.", "Unpack it, and give the files or a ZIP of them."
_SIGNS: Mapping[bytes, tuple[str, str]] = {
    b"\x89PNG": ("a picture (PNG)", _PICTURE),
    b"\xff\xd8\xff": ("a picture (JPEG)", _PICTURE),
    b"GIF8": ("a picture (GIF)", _PICTURE),
    b"BM": ("a picture (BMP)", _PICTURE),
    b"II*\x00": ("a picture (TIFF)", _PICTURE),
    b"MM\x00*": ("a picture (TIFF)", _PICTURE),
    b"%PDF": ("a PDF document", "Give the pack as files of text."),
    b"Rar!": ("a RAR archive", _ARCHIVE),
    b"7z\xbc\xaf\x27\x1c": ("a 7-Zip archive", _ARCHIVE),
    b"\x28\xb5\x2f\xfd": ("a Zstandard archive", _ARCHIVE),
    b"\x1f\x8b": ("a gzip archive", _ARCHIVE),
    b"BZh": ("a bzip2 archive", _ARCHIVE),
    b"\xfd7zXZ": ("an XZ archive", _ARCHIVE),
    b"SQLite format 3": ("an SQLite database", "Export its rows as JSONL."),
    b"PAR1": ("a Parquet table", TABLE_ADVICE),
}
# The file by which documents of Office programs are known, which are ZIP archives.
_OFFICE, _OFFICE_ADVICE = "[Content_Types].xml", "Save its content as text, such as YAML or JSONL."
_SAVE_AS_UTF8 = "Save it with the encoding UTF-8."
_WIDE_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_TOP_KEY = re.compile(rb"""^["']?([$\w][\w.-]*)["']?[ \t]*:(?=\s|$)""", re.M)
_PROMPTFOO_NAME = re.compile(r"(?:^|/)promptfooconfig\.[a-z]+$", re.I)
_PROMPTFOO_SCHEMA = re.compile(rb"promptfoo\.dev/config-schema")


def explain(files: Files) -> list[Finding]:
    """Why no format was recognised: one finding for each of the first files, with what it looks like."""
    foreign = [name for name in sorted(files) if is_promptfoo(name, files[name])]
    if foreign:
        return [replace(UNSUPPORTED.at(()), file=foreign[0], line=1, column=1)]
    if not files:
        return [UNRECOGNISED.at((), looks=": there are no files", advice=ADVICE)]
    if _OFFICE in files:
        return [UNRECOGNISED.at((), looks=": this is an Office document", advice=_OFFICE_ADVICE)]
    return list(_described(files))


def _described(files: Files) -> Iterator[Finding]:
    for name in sorted(files)[:MAX_TOLD]:
        looks, advice = look(name, files[name])
        yield replace(UNRECOGNISED.at((), looks=f": this is {looks}", advice=advice or ADVICE), file=name)
        if looks.startswith(("YAML", "JSON")):
            yield from islice(_broken(name, files[name]), 1)


def _broken(name: str, data: bytes) -> list[Finding]:
    """Why a text that was to be YAML or JSON cannot be read."""
    if name.lower().endswith(".json"):
        _, found = jsonio.read(data, file=name)
    else:
        _, found = yamlio.read(data, file=name, dialect=yamlio.CORE_12)
    return [finding for finding in found if finding.severity is Severity.ERROR]


def is_promptfoo(name: str, data: bytes) -> bool:
    """Whether a file is a configuration of promptfoo, by its name, its schema, or the keys that only it combines."""
    if _PROMPTFOO_NAME.search(name):
        return True
    if not name.endswith((".yaml", ".yml", ".json")):
        return False
    plain = yamlio.plain_bytes(data)
    keys = top_keys(plain)
    return bool(_PROMPTFOO_SCHEMA.search(plain)) or ("prompts" in keys and bool({"providers", "targets"} & keys))


def is_table(name: str, data: bytes) -> bool:
    """Whether a file that belongs to no pack looks like a table."""
    return look(name, data)[1] == TABLE_ADVICE


def top_keys(plain: bytes) -> set[str]:
    """The keys at the top of a YAML or JSON text, in whatever shape the rest is."""
    if plain.lstrip()[:1] == b"{":
        value, _ = jsonio.read(plain)
        return set(value) if isinstance(value, dict) else set()
    return {key.decode("utf-8", "replace") for key in _TOP_KEY.findall(plain)}


def look(name: str, data: bytes) -> tuple[str, str]:
    """What a file looks like, and what to do about it where that is known."""
    if not data.strip(b" \t\r\n\0"):
        return ("an empty file" if not data else "a file of blanks"), "Check that it was saved, and give it again."
    if data.startswith(b"PK"):
        return _look_at_zip(data)
    if data[257:262] == b"ustar":
        return "a TAR archive inside the upload", _ARCHIVE
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a picture (WebP)", _PICTURE
    for sign, found in _SIGNS.items():
        if data.startswith(sign):
            return found
    return _look_at_text(name, data)


def is_signed(data: bytes) -> bool:
    """Whether a file begins with the sign of one that is not text. Two or three plain letters can begin a text too."""
    return any(data.startswith(sign) for sign in _SIGNS if len(sign) > 3 or not sign.isascii())


def _look_at_zip(data: bytes) -> tuple[str, str]:
    try:
        names = zipfile.ZipFile(BytesIO(data)).namelist()
    except what_archives_raise():
        return "a ZIP archive that is cut off or damaged", "Make or load it again; its end is missing or broken."
    if _OFFICE in names:
        return "an Office document", _OFFICE_ADVICE
    return "a ZIP archive inside the upload", _ARCHIVE


def _look_at_text(name: str, data: bytes) -> tuple[str, str]:
    for mark, encoding in _WIDE_MARKS.items():
        if data.startswith(mark):
            return f"text in {encoding}", _SAVE_AS_UTF8
    if b"\0" in data[:4096]:
        half = data[:4096]
        is_wide = half[1::2].count(0) * 4 > len(half) or half[::2].count(0) * 4 > len(half)
        return ("text in UTF-16 without its mark", _SAVE_AS_UTF8) if is_wide else ("a binary file", "")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "text that is not UTF-8", _SAVE_AS_UTF8
    return _look_at_content(name, yamlio.plain_bytes(data))


def _look_at_content(name: str, plain: bytes) -> tuple[str, str]:
    start = plain.lstrip()[:200].lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "a web page", "Load the file itself, not the page that shows it."
    if start.startswith(b"<svg") or b"<svg" in start:
        return "a picture (SVG)", _PICTURE
    if start.startswith(b"<?xml"):
        return "an XML document", ""
    return _look_at_data(name.lower(), plain, is_json=start.startswith((b"{", b"[")))


def _look_at_data(lowered: str, plain: bytes, *, is_json: bool) -> tuple[str, str]:
    if lowered.endswith((".jsonl", ".ndjson")):
        first, _, _ = plain.lstrip().partition(b"\n")
        return f"rows of JSON{_keys(first)}", TABLE_ADVICE
    if lowered.endswith(_TABLES):
        return "a table of text", TABLE_ADVICE
    if lowered.endswith(".json") and plain.lstrip()[:1] == b"[":
        return "a list in JSON", TABLE_ADVICE
    if lowered.endswith((".yaml", ".yml", ".json")):
        return f"{'JSON' if is_json else 'YAML'}{_keys(plain)}", ""
    return "text", ""


def _keys(plain: bytes) -> str:
    found = sorted(top_keys(plain))
    if not found:
        return " without keys at its top"
    return f" with the keys {', '.join(found[:6])}{' and others' if len(found) > 6 else ''}"
