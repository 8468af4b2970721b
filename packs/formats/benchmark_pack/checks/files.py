"""Rules about rows files and the files of both roots."""

from collections.abc import Iterator
from typing import Any

from packs.formats.benchmark_pack.header import Header
from packs.formats.benchmark_pack.reader import is_rows_file, stated
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.identity import check_key
from packs.formats.paths import refused_name

BAD_NAME = Rule(
    "benchmark_pack.E541",
    "{name} cannot be the name of a file of the pack.",
    hint="Give a path below the folder of the manifest, with `/` between its steps.",
)
NOT_ROWS = Rule(
    "benchmark_pack.E542",
    "{name} cannot be a rows file: its name must end with .jsonl and lie outside of both asset roots.",
    hint="Call it for example `tasks.jsonl`.",
)
NAME_REPEATED = Rule(
    "benchmark_pack.E543", "Another part of the pack is the file {name} already.", hint="Choose another name."
)
OUTSIDE_ROOTS = Rule(
    "benchmark_pack.W541",
    "The file {name} lies below neither root, so no row can name it.",
    hint="Move it below the public root for agents, or below the hidden root for verifiers.",
)


def check_rows_file(header: Header, document: Document, is_repeated: bool) -> Iterator[Finding]:
    """The name of a rows file."""
    name = stated(document, "file")
    if refused_name(name) is not None:
        yield BAD_NAME.at(("file",), name=_shown(document.get("file")))
    elif not is_rows_file(name, header):
        yield NOT_ROWS.at(("file",), name=name)
    elif is_repeated:
        yield NAME_REPEATED.at(("file",), name=name)
    yield from check_key(name, ("file",))


def check_file(header: Header, document: Document, is_repeated: bool) -> Iterator[Finding]:
    """The place of a file."""
    name, path = stated(document, "path"), _PATH
    if refused_name(name) is not None:
        yield BAD_NAME.at(path, name=_shown(document.get("path")))
    elif is_repeated:
        yield NAME_REPEATED.at(path, name=name)
    elif not name.startswith(header.roots):
        yield OUTSIDE_ROOTS.at(path, name=name)
    yield from check_key(name, path)


_PATH: Path = ("path",)


def _shown(value: Any) -> str:
    return repr(value)[:120]
