"""The primitives of kind file: reading, writing, listing and searching the workspace (challenge-pack c.5)."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

from packs.formats.patterns import Pattern, compile_pattern
from runs.agents.tools.contract import POSITIVE, TEXT, Arguments, Bench, Done, Primitive, ToolFailed, named, parameters
from runs.agents.tools.places import readable, writable
from runs.sandbox.contract import PathRefused

KIND = "file"
MAX_READ_BYTES = 128 * 1024
# How much a search looks at: larger files are passed over, and so is what comes after this many bytes.
MAX_SEARCHED_FILE = 1024 * 1024
MAX_SEARCHED_BYTES = 32 * 1024 * 1024
MAX_LISTED = 1000
MAX_FOUND = 100
MAX_MATCHES = 200
MAX_LINE = 500


def read_file(bench: Bench, arguments: Arguments) -> Done:
    path = readable(bench, arguments["path"])
    found = bench.room.read_file(path, MAX_READ_BYTES)
    if found is None:
        raise ToolFailed(f"file {arguments['path']!r} was not found")
    bench.record("sandbox.file.read", {"path": path, "size": found.size, "action": "read"})
    value = {"path": arguments["path"], "content": found.content.decode("utf-8", "replace")}
    return Done({**value, "truncated": True, "size": found.size} if found.is_truncated else value)


def write_file(bench: Bench, arguments: Arguments) -> Done:
    path = writable(bench, arguments["path"])
    content = arguments["content"].encode("utf-8", "replace")
    bench.room.write_file(path, content)
    bench.record("sandbox.file.written", {"path": path, "size": len(content), "action": "write"})
    return Done({"path": arguments["path"], "written": True, "bytes": len(content)})


def list_files(bench: Bench, arguments: Arguments) -> Done:
    prefix = readable(bench, arguments.get("prefix", ""))
    entries = bench.room.list_directory(prefix, recursive=True)
    if entries is None:
        raise ToolFailed(f"there is no directory {arguments.get('prefix', '')!r}")
    files = [{"path": _joined(prefix, entry.path), "size": entry.size} for entry in entries if not entry.is_directory]
    bench.record("sandbox.file.listed", {"path": prefix, "count": len(files), "action": "list"})
    value: dict[str, Any] = {"prefix": arguments.get("prefix", ""), "files": files[:MAX_LISTED]}
    return Done({**value, "truncated": True, "total": len(files)} if len(files) > MAX_LISTED else value)


def search_files(bench: Bench, arguments: Arguments) -> Done:
    pattern, limit = arguments["pattern"].strip(), arguments.get("max_results", MAX_FOUND)
    if not pattern:
        raise ToolFailed("pattern is required")
    found = [path for path, _ in _files(bench, arguments) if _fits(path, pattern)]
    value: dict[str, Any] = {"pattern": pattern, "path": arguments.get("path", ""), "files": found[:limit]}
    return Done({**value, "truncated": True} if len(found) > limit else value)


def search_text(bench: Bench, arguments: Arguments) -> Done:
    pattern = _pattern(arguments)
    include, limit = arguments.get("include", "").strip(), arguments.get("max_results", MAX_MATCHES)
    matches: list[dict[str, Any]] = []
    seen = 0
    for path, size in _files(bench, arguments):
        if (include and not _fits(path, include)) or size > MAX_SEARCHED_FILE:
            continue
        seen += size
        if seen > MAX_SEARCHED_BYTES or len(matches) > limit:
            break
        matches += _matches(bench, path, pattern, limit + 1 - len(matches))
    is_cut = seen > MAX_SEARCHED_BYTES or len(matches) > limit
    value: dict[str, Any] = {"pattern": arguments["pattern"], "matches": matches[:limit]}
    return Done({**value, "truncated": True} if is_cut else value)


def _pattern(arguments: Arguments) -> Pattern:
    if not arguments["pattern"].strip():
        raise ToolFailed("pattern is required")
    source = arguments["pattern"] if arguments.get("case_sensitive", True) else f"(?i:{arguments['pattern']})"
    compiled = compile_pattern(source)
    if not isinstance(compiled, Pattern):
        raise ToolFailed(f"the pattern cannot be used: {compiled.message}")
    return compiled


def _files(bench: Bench, arguments: Arguments) -> Iterator[tuple[str, int]]:
    """The files below a directory, or the one file that is named, with their sizes in bytes."""
    path = readable(bench, arguments.get("path", ""))
    entries = bench.room.list_directory(path, recursive=True)
    if entries is not None:
        yield from ((_joined(path, entry.path), entry.size) for entry in entries if not entry.is_directory)
        return
    found = bench.room.read_file(path, 0)
    if found is None:
        raise ToolFailed(f"there is nothing at {arguments.get('path', '')!r}")
    yield path, found.size


def _matches(bench: Bench, path: str, pattern: Pattern, limit: int) -> list[dict[str, Any]]:
    try:
        found = bench.room.read_file(path, MAX_SEARCHED_FILE)
    except PathRefused:
        return []
    if found is None or b"\0" in found.content[:8000]:
        return []
    lines = found.content.decode("utf-8", "replace").splitlines()
    hits = [(number, line) for number, line in enumerate(lines, 1) if pattern.is_found(line)]
    return [{"path": path, "line_number": number, "line_text": line[:MAX_LINE]} for number, line in hits[:limit]]


def _fits(path: str, pattern: str) -> bool:
    """Whether a path has a name like this; a pattern with a slash is held against the whole path."""
    return fnmatchcase(path if "/" in pattern else path.rpartition("/")[2], pattern)


def _joined(directory: str, name: str) -> str:
    return name if directory in ("", ".") else f"{directory}/{name}"


PATH = named(TEXT, "A path in the workspace, absolute or relative to it.")
BELOW = named(TEXT, "Where to look; the whole workspace when left out.")
PRIMITIVES = (
    Primitive("read_file", KIND, "Reads a text file of the workspace.", parameters(("path",), path=PATH), read_file),
    Primitive(
        "write_file",
        KIND,
        "Writes a text file into the workspace, with the directories above it; what was there is replaced.",
        parameters(("path", "content"), path=PATH, content=TEXT),
        write_file,
    ),
    Primitive(
        "list_files", KIND, "Lists all files of the workspace below a directory.", parameters(prefix=BELOW), list_files
    ),
    Primitive(
        "search_files",
        KIND,
        "Finds files of the workspace by name; * and ? stand for any characters.",
        parameters(("pattern",), pattern=TEXT, path=BELOW, max_results=POSITIVE),
        search_files,
    ),
    Primitive(
        "search_text",
        KIND,
        "Finds lines in the files of the workspace by a regular expression (RE2).",
        parameters(
            ("pattern",),
            pattern=TEXT,
            path=BELOW,
            include=named(TEXT, "Only files with a name like this, for instance *.py."),
            case_sensitive={"type": "boolean", "default": True},
            max_results=POSITIVE,
        ),
        search_text,
    ),
)
