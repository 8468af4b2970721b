"""Which file of a pack is what: suites by name or mark, tests that they name, everything else (agentv A.1, B.2)."""

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import product
from posixpath import dirname, normpath, relpath

from packs.formats.adapter import Files
from packs.formats.document import Document
from packs.formats.looks import is_promptfoo

SETTINGS = ".agentv/config.yaml"
CASE_FILES = ("case.yaml", "case.yml")
# How entries of a list of tests, prompts and hooks name a file.
SCHEME = "file://"
# Files that can hold a list of tests (B.2).
LIST_ENDINGS = (".yaml", ".yml", ".jsonl")
# How names of programs end; an argument of a command that ends so names a file.
SCRIPTS = (".mjs", ".cjs", ".js", ".ts", ".sh", ".bash", ".zsh", ".py", ".rb", ".pl")
# The mark by which the checks of AgentV know a suite of any name.
_MARK = re.compile(rb"""^["']?\$schema["']?[ \t]*:[ \t]*["']?agentv-eval-v2\b""", re.M)
_TESTS = re.compile(rb"^(?:tests|eval_cases|evalcases)[ \t]*:", re.M)
_CASES = re.compile(rb"^- +(?:id|criteria|input)[ \t]*:", re.M)
# The input of a test is a text or a list; rows of other formats have a mapping there.
_ROW = re.compile(rb'\s*\{[^\n]*"(?:criteria"\s*:|input"\s*:\s*["\[])')
_BRACES = re.compile(r"\{([^{}]*)\}")
_MAX_PATTERNS = 100


def is_list_name(name: str) -> bool:
    """Whether a file of this name, in any letter case, can hold a list of tests."""
    return name.lower().endswith(LIST_ENDINGS)


def cases_folder(folder: str, suite: Document) -> str | None:
    """The folder in which each test of a suite has a folder of its own; `folder` is that of the suite.

    None where the tests stand elsewhere: `$folder` says nothing then.
    """
    path = suite.get("tests")
    place = inside(folder, path) if isinstance(path, str) and not suite.get("$list") else None
    return None if place is None or is_list_name(place) else place


def is_suite_name(name: str) -> bool:
    """Whether AgentV's own checks take a file of this name for a suite."""
    return name.lower().endswith((".eval.yaml", ".eval.yml"))


def suite_names(files: Files) -> list[str]:
    """The suites among files, sorted; copies that a finished run keeps are none."""
    found = [name for name in sorted(files) if _is_suite(name, files[name]) and not _is_frozen(name, files)]
    return found or lone_names(files)


def _is_suite(name: str, data: bytes) -> bool:
    if not name.lower().endswith((".yaml", ".yml")):
        return False
    return is_suite_name(name) or is_plain(name) or _MARK.search(data) is not None


def is_plain(name: str) -> bool:
    """Whether a file has the name EVAL.yaml, which runs but which AgentV's checks pass over."""
    return name.rpartition("/")[2].lower() in ("eval.yaml", "eval.yml")


def _is_frozen(name: str, files: Files) -> bool:
    folder, _, last = dirname(name).rpartition("/")
    return last == "task" and f"{folder}/grading.json" in files


def lone_names(files: Files) -> list[str]:
    """The file that is a suite, or a list of tests, though its name does not say so."""
    outer = [name for name in sorted(files) if "/" not in name]
    rows = [name for name in outer if name.endswith(".jsonl")]
    if len(rows) == 1:
        beside = [name for name in files if name != rows[0] and not name.rpartition("/")[2].startswith(".")]
        # What is said about rows stands in a file of their name (B.5); another one is the manifest of another format.
        sidecar = f"{rows[0].removesuffix('.jsonl')}.yaml"
        others = [name for name in beside if name != sidecar and name.endswith((".yaml", ".yml", ".json"))]
        return rows if len(beside) <= 1 and not others else []
    return outer if len(outer) == len(files) == 1 and outer[0].endswith((".yaml", ".yml")) else []


def recognises(files: Files) -> bool:
    """Whether these files look like AgentV evals; see `Adapter.recognises`."""
    names = suite_names(files)
    if not names:
        return False
    if any(_is_suite(name, files[name]) for name in names):
        return True
    data = files[names[0]]
    if names[0].endswith(".jsonl"):
        return _ROW.match(data) is not None
    return bool(_TESTS.search(data) or _CASES.match(data)) and not is_promptfoo(names[0], data)


def inside(folder: str, path: str) -> str | None:
    """The name in the pack of a path that is written in a file of `folder`; None where it leaves the pack (I.5)."""
    if "\0" in path or "\\" in path or re.match(r"[A-Za-z]:", path) or path.startswith(("/", "~")):
        return None
    found = normpath(f"{folder}/{path}" if folder else path)
    return None if found == ".." or found.startswith("../") else ("" if found == "." else found)


def search_roots(folder: str) -> Iterator[str]:
    """The folders in which a file is looked for: the suite's own, then each one above it (C.2)."""
    steps = folder.split("/") if folder else []
    for end in range(len(steps), -1, -1):
        yield "/".join(steps[:end])


def candidates(folder: str, path: str) -> Iterator[str]:
    """The names that a file reference of a suite in `folder` can mean, in the order of looking."""
    for root in search_roots(folder):
        found = inside(root, path.lstrip("/"))
        if found:
            yield found


def seen_from(folder: str, name: str) -> str:
    """The path of a file as a command that starts in a folder of the pack names it, be it to run the file itself."""
    path = relpath(name, folder or ".")
    return path if path.startswith("../") else f"./{path}"


def matches(names: Iterable[str], pattern: str) -> list[str]:
    """The names that a pattern with `*`, `?` and `{a,b}` means, sorted; `*` does not cross folders but `**` does."""
    patterns = list(_alternatives(pattern))
    return sorted(name for name in names if any(_fits(name.split("/"), each.split("/")) for each in patterns))


def _alternatives(pattern: str) -> Iterator[str]:
    parts = _BRACES.split(pattern)
    choices = [part.split(",") if index % 2 else [part] for index, part in enumerate(parts)]
    for count, chosen in enumerate(product(*choices)):
        if count >= _MAX_PATTERNS:
            return
        yield "".join(chosen)


def _fits(steps: list[str], pattern: list[str]) -> bool:
    """Whether the steps of a path are what a pattern means; never slower than the two lengths multiplied."""
    places = {0}
    for part in pattern:
        if part == "**":
            places = set(range(min(places), len(steps) + 1))
        else:
            places = {place + 1 for place in places if place < len(steps) and fnmatchcase(steps[place], part)}
        if not places:
            return False
    return len(steps) in places


def case_folders(names: Iterable[str], folder: str) -> dict[str, str]:
    """The folders right below `folder`, sorted, each with its case file; empty where it has none (B.4)."""
    prefix = f"{folder}/" if folder else ""
    own = set(names)
    found = {
        name[len(prefix) :].partition("/")[0] for name in own if name.startswith(prefix) and "/" in name[len(prefix) :]
    }
    return {
        each: next((f"{prefix}{each}/{file}" for file in CASE_FILES if f"{prefix}{each}/{file}" in own), "")
        for each in sorted(found)
    }
