"""Reading: files to a tree. One input set a suite, one case a test, one asset for every other file.

A suite's document is the mapping of its file without its tests; three keys of our own begin with `$`: `$file` names the
file, `$list` marks a file that is a bare list of tests, and `{"$entry": it}` stands for a test that is not a mapping.
Tests of a case folder state it as `$folder`. Tests that a list names by `file://` stand in the list themselves.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from posixpath import dirname, relpath
from typing import Any

from packs.formats.adapter import Files
from packs.formats.agentv.layout import (
    SCHEME,
    SETTINGS,
    case_folders,
    inside,
    is_list_name,
    matches,
    recognises,
    suite_names,
)
from packs.formats.agentv.reading import is_text, read_rows, read_yaml
from packs.formats.agentv.successor import from_next, is_successor
from packs.formats.document import Asset, Case, Document, InputSet, NodeKind, Pack
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import trimmed

NAME = "agentv"

NO_SUITE = Rule(
    "agentv.E010",
    "None of these files is a suite: {names}.",
    hint="Add a suite: its name ends in .eval.yaml, or it begins with `$schema: agentv-eval-v2`.",
)
NOT_A_MAPPING = Rule(
    "agentv.E002",
    "A suite is a mapping of fields, or a list of tests; this file is neither.",
    hint="Begin with `tests:` and write each test below it.",
    rule="S02",
)
MALFORMED = Rule(
    "agentv.E012",
    "The tests in {name} cannot be read: {reason}.",
    hint="Fix that file, or name another one.",
    rule="S11",
)
ABSENT = Rule(
    "agentv.E013",
    "There is no file {name} with the tests.",
    hint="Add the file, or write the tests below `tests:`. It is written again with the pack.",
    rule="S11",
)
NO_CASE_FILE = Rule(
    "agentv.N015",
    "The folder {name} has no case.yaml and is skipped.",
    hint="Add a case.yaml, or move the folder elsewhere.",
    rule="L05",
)
SHARED = Rule(
    "agentv.N018",
    "Another suite has the tests in {name} already, so this one is written with tests of its own.",
    hint="Edit them here and there, or let one suite have the tests of both.",
)
CONVERTED = Rule(
    "agentv.N601",
    "The suite is written for the next generation of AgentV and was read as a classic one.",
    hint="It is written back in the classic form; export it for the next generation where that is wanted.",
)
LOST = Rule(
    "agentv.W602",
    "{name} of the next generation cannot be taken over: {outcome}.",
    hint="The imported file is kept as it was; add in the classic form what is missing.",
)
TAKEN_KEY = Rule(
    "agentv.E016",
    "The key {key} is reserved by Packwright.",
    hint="Give it another name.",
)
_OWN_KEYS = ("$file", "$list", "$key", "$folder", "$entry")
_SIDECAR = ("name", "description", "execution", "evaluator")

__all__ = ["NAME", "Origin", "Source", "identify", "load", "read_sources", "recognises", "trimmed"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a test stands: its file, the path inside it, and for JSON Lines the line."""

    file: str
    path: Path = ()
    line: int = 0


@dataclass(slots=True)
class Source:
    """A suite as read: its document, and its tests with where they stand."""

    name: str
    document: Document
    tests: list[tuple[Document, Origin]] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)
    is_broken: bool = False

    def refuse(self, finding: Finding) -> None:
        self.findings.append(finding if finding.file else replace(finding, file=self.name, line=1, column=1))
        self.is_broken = True


def load(files: Files) -> tuple[Pack | None, list[Finding]]:
    """Read suites and the tests that they name; see `Adapter.load`.

    A file of tests that cannot be read whole keeps the pack from being read: nothing may be missing without a word.
    """
    sources = read_sources(files)
    if not sources:
        return None, [no_suite(files)]
    findings = [finding for source in sources for finding in source.findings]
    if any(source.is_broken for source in sources):
        return None, findings
    settings = _settings(files)
    sets = tuple(
        InputSet(source.document["$file"], source.document, tuple(_case(test) for test, _ in source.tests))
        for source in sources
    )
    assets = tuple(Asset(name, name, {"path": name}, files[name]) for name in asset_names(files, sources))
    return Pack(NAME, identify(NodeKind.PACK, settings)[0], settings, (), sets, assets), findings


def no_suite(names: Iterable[str]) -> Finding:
    """What is wrong with a pack of these files alone."""
    return NO_SUITE.at((), names=", ".join(sorted(names)[:10]) or "there are none")


def asset_names(files: Files, sources: list[Source]) -> list[str]:
    """The files that are neither suites, nor tests, nor the settings; sorted."""
    used = {name for source in sources for name in source.used} | ({SETTINGS} if _settings(files) else set())
    return [name for name in sorted(files) if name not in used]


def _settings(files: Files) -> Document:
    """The project settings where they are a mapping; otherwise the file stays an asset."""
    value, findings = read_yaml(files[SETTINGS]) if SETTINGS in files else (None, [])
    return value if isinstance(value, dict) and not any(found.is_error for found in findings) else {}


def _case(document: Document) -> Case:
    return Case(*identify(NodeKind.CASE, document), document)


def read_sources(files: Files) -> list[Source]:
    """Every suite of the files, in order of their names. A file of tests belongs to the first suite that names it."""
    sources: list[Source] = []
    for name in suite_names(files):
        taken = {other for source in sources for other in source.used}
        sources.append(_read_rows_alone(files, name) if name.endswith(".jsonl") else _read_suite(files, name, taken))
    return sources


def _read_rows_alone(files: Files, name: str) -> Source:
    """JSON Lines without a suite become one that names them (B.5)."""
    stem = name.removesuffix(".jsonl")
    sidecar = f"{stem}.yaml"
    value, findings = read_yaml(files[sidecar], sidecar) if sidecar in files else ({}, [])
    stated = {key: value[key] for key in _SIDECAR if key in value} if isinstance(value, dict) else {}
    source = Source(name, {"$file": f"{stem}.eval.yaml", **stated, "tests": f"./{name}"}, used={name, sidecar})
    source.findings += findings
    source.is_broken = any(found.is_error for found in findings)
    _read_tests(source, files, name)
    return source


def _read_suite(files: Files, name: str, taken: set[str]) -> Source:
    value, findings = read_yaml(files[name], name)
    source = Source(name, {"$file": name}, used={name}, findings=findings)
    if any(found.is_error for found in findings):
        source.is_broken = True
    elif isinstance(value, list):
        source.document["$list"] = True
        source.tests = [(_test(item), Origin(name, (index,))) for index, item in enumerate(value)]
    elif not isinstance(value, dict):
        source.refuse(NOT_A_MAPPING.at(()))
    else:
        _fill(source, files, _classic(source, value), taken)
    return source


def _classic(source: Source, value: Document) -> Document:
    """A suite of the next generation as a classic one, with a word about it."""
    if not is_successor(value):
        return value
    found, reported = from_next(value)
    converted = replace(CONVERTED.at(()), file=source.name, line=1, column=1)
    source.findings.append(converted)
    for name, outcome in reported:
        lost = LOST.at((), name=name, outcome=outcome)
        source.findings.append(replace(lost, file=source.name, line=1, column=1))
    return found


def _fill(source: Source, files: Files, value: Document, taken: set[str]) -> None:
    for key in _OWN_KEYS:
        if key in value:
            source.refuse(TAKEN_KEY.at((key,), key=key))
            return
    source.document |= value
    key = next((key for key in ("tests", "eval_cases", "evalcases") if value.get(key) is not None), "tests")
    tests = value.get(key)
    if isinstance(tests, list) and tests:
        if key != "tests":
            source.document["$key"] = key
        source.document.pop(key)
        source.tests = list(_entries(source, files, key, tests))
    elif isinstance(tests, str) and key == "tests":
        _read_path(source, files, tests, taken)


def _entries(source: Source, files: Files, key: str, tests: list[Any]) -> Iterator[tuple[Document, Origin]]:
    """The tests of a list; `file://` entries are replaced by what they name."""
    for index, item in enumerate(tests):
        origin = Origin(source.name, (key, index))
        named = _named(source, files, item) if isinstance(item, str) else []
        if not named:
            yield _test(item), origin
        for name in named:
            yield from _read_list(source, files, name)


def _named(source: Source, files: Files, entry: str) -> list[str]:
    if not entry.startswith(SCHEME):
        return []
    found = inside(dirname(source.name), entry.removeprefix(SCHEME))
    names = matches(files, found) if found else []
    return [name for name in names if is_list_name(name)]


def _read_path(source: Source, files: Files, path: str, taken: set[str]) -> None:
    """The tests of a file or a folder of cases that the suite names by its path."""
    name = inside(dirname(source.name), path)
    if name is None:
        return
    folders = case_folders(files, name)
    if name in files and is_list_name(name):
        _read_tests(source, files, name)
        if name in taken:
            _keep_own(source, name)
        else:
            source.used.add(name)
    elif folders:
        _read_folders(source, files, name, folders)
        if not taken.isdisjoint(folders.values()):
            source.tests = [(_apart(source, files, name, test), origin) for test, origin in source.tests]
            _keep_own(source, name)
    elif is_list_name(name):
        reported = ABSENT.at(("tests",), name=name)
        source.findings.append(replace(reported, file=source.name, line=1, column=1, field="tests"))


def _keep_own(source: Source, name: str) -> None:
    """Let a suite have its tests itself: a file of tests belongs to the first suite that names it."""
    del source.document["tests"]
    if not source.tests:
        source.document["tests"] = []
    source.findings.append(replace(SHARED.at(("tests",), name=name), file=source.name, line=1, column=1))


def _apart(source: Source, files: Files, folder: str, test: Document) -> Document:
    """A test that stood in a folder of cases, without it; the template that its folder holds is named (B.4)."""
    template = f"{folder}/{test['$folder']}/workspace" if folder else f"{test['$folder']}/workspace"
    found = {key: value for key, value in test.items() if key != "$folder"}
    if "workspace" not in found and any(name.startswith(f"{template}/") for name in files):
        found["workspace"] = {"template": relpath(template, dirname(source.name) or ".")}
    return found


def _read_tests(source: Source, files: Files, name: str) -> None:
    source.tests = list(_read_list(source, files, name))


def _read_list(source: Source, files: Files, name: str) -> Iterator[tuple[Document, Origin]]:
    if name.lower().endswith(".jsonl"):
        rows, findings = read_rows(files[name], name)
        source.findings += findings
        source.is_broken |= any(found.is_error for found in findings)
        yield from ((_test(row), Origin(name, (), line)) for line, row in rows)
        return
    value, findings = read_yaml(files[name], name)
    source.findings += [replace(found, rule="S11" if found.is_error else "", field="tests") for found in findings]
    if any(found.is_error for found in findings):
        source.is_broken = True
    elif isinstance(value, list):
        yield from ((_test(item), Origin(name, (index,))) for index, item in enumerate(value))
    elif value is not None:
        source.refuse(replace(MALFORMED.at(("tests",), name=name, reason="it must hold a list"), field="tests"))


def _read_folders(source: Source, files: Files, folder: str, folders: dict[str, str]) -> None:
    for each, name in folders.items():
        place = f"{folder}/{each}" if folder else each
        if not name:
            reported = replace(NO_CASE_FILE.at(("tests",), name=place), file=source.name, line=1, column=1)
            source.findings.append(reported)
            continue
        value, findings = read_yaml(files[name], name)
        source.findings += [replace(found, rule="S11" if found.is_error else "") for found in findings]
        source.used.add(name)
        if not isinstance(value, dict):
            reported = MALFORMED.at(("tests",), name=name, reason="it must hold a mapping")
            source.refuse(replace(reported, field="tests"))
            continue
        stated = value if value.get("id") is not None else {"id": each, **value}
        if stated is not value:
            stated["id"] = each
        source.tests.append(({"$folder": each, **stated}, Origin(name)))


def _test(item: Any) -> Document:
    """A test's document; what is not a mapping, or has keys that only Packwright may use, is kept whole."""
    return item if isinstance(item, dict) and not any(key in item for key in _OWN_KEYS) else {"$entry": item}


def identify(kind: NodeKind, document: Document) -> tuple[str, str]:
    """Key that a document states; see `Adapter.identify`. Tests belong to no challenge."""
    keys = {NodeKind.PACK: "x-slug", NodeKind.INPUT_SET: "$file", NodeKind.CASE: "id", NodeKind.ASSET: "path"}
    return trimmed(document.get(keys.get(kind, ""))), ""


def is_external(document: Document) -> bool:
    """Whether the tests of a suite stand in files of their own, which AgentV's checks do not look at."""
    return is_text(document.get("tests"))
