"""Reading: files to a tree (benchmark-pack 1 to 3), without normalising what the author wrote."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from packs.formats import yamlio
from packs.formats.adapter import Files
from packs.formats.benchmark_pack.header import Header, header_of
from packs.formats.benchmark_pack.lazy import LONG, Rows
from packs.formats.benchmark_pack.rows import LINE, lines_of, read_line, spans_of, too_long_for
from packs.formats.document import Asset, Case, Document, File, InputSet, NodeKind, Pack
from packs.formats.findings import Finding, Rule, has_errors, render_path
from packs.formats.schema.pieces import INT32_MAX

NAME = "benchmark_pack"
MANIFEST = "manifest.yaml"
MANIFEST_NAMES = (MANIFEST, "manifest.yml", "manifest.json")
ROWS_FILE = "tasks.jsonl"
ROWS_SUFFIX = ".jsonl"

NO_MANIFEST = Rule(
    "benchmark_pack.E001",
    "None of these files is the manifest of a benchmark pack.",
    hint=f"Add a file {MANIFEST} with `id` and `version` beside the rows file.",
)
NOT_A_MAPPING = Rule(
    "benchmark_pack.E002",
    "A manifest is a mapping with the keys id and version; this is something else.",
    hint="Begin its lines with `id:` and `version:`.",
    rule="ConfigError",
)
VERSION_2 = Rule(
    "benchmark_pack.E003",
    "This manifest is of version 2 of the format, which Packwright cannot read.",
    hint="Use a pack of version 1: its manifest has a whole number `version` and its rows have `eval`.",
    rule="version-2-pack",
)
NOT_TEXT = Rule(
    "benchmark_pack.E004",
    "This line is not valid UTF-8, so it could not be kept as it is.",
    hint="Save the rows file with the encoding UTF-8.",
    rule="ConfigError",
)
OUTSIDE = Rule(
    "benchmark_pack.W001",
    "The file {name} lies outside the folder of the manifest and is left out.",
    hint="Move it into that folder.",
)

_MANIFEST_KEYS = re.compile(rb"""^(?:\xef\xbb\xbf)?[{ \t]*["']?(id|version|schema_version)["']?[ \t]*:""", re.M)
_JSON_KEYS = re.compile(rb'"(id|version|schema_version)"\s*:')
_RUN_RECORD = re.compile(rb'"run_id"\s*:')


def recognises(files: Files) -> bool:
    """Whether there is a manifest among the files."""
    return any(_is_named(name) or _has_rows_beside(name, files) for name in _manifests(files))


def _is_named(name: str) -> bool:
    return name.rpartition("/")[2] in MANIFEST_NAMES


def _has_rows_beside(name: str, files: Files) -> bool:
    folder = name.rpartition("/")[0]
    return any(other.endswith(ROWS_SUFFIX) and other.rpartition("/")[0] == folder for other in files)


def _manifests(files: Files) -> list[str]:
    """The files that look like a manifest, those nearest to the root only, the conventional names first."""
    found = [name for name, content in files.items() if _looks_like_a_manifest(name, content)]
    depth = min((name.count("/") for name in found), default=0)
    near = [name for name in found if name.count("/") == depth]
    return sorted(near, key=lambda name: (not _is_named(name), name))


def _looks_like_a_manifest(name: str, content: bytes) -> bool:
    if not name.endswith((".yaml", ".yml", ".json")):
        return False
    head = content[:65536]
    keys = set(_MANIFEST_KEYS.findall(head)) | (set(_JSON_KEYS.findall(head)) if head.lstrip()[:1] == b"{" else set())
    if _is_named(name):
        return bool(keys) or not name.count("/")
    return b"id" in keys and bool(keys & {b"version", b"schema_version"})


def manifest_name(files: Files) -> str:
    """The name of the manifest among the files; empty when there is none."""
    if len(files) == 1 and next(iter(files)).endswith((".yaml", ".yml", ".json")):
        return next(iter(files))
    return next(iter(_manifests(files)), "")


def load(files: Files) -> tuple[Pack | None, list[Finding]]:
    """Read a manifest, the rows files and the other files of its folder; see `Adapter.load`."""
    name = manifest_name(files)
    if not name:
        return None, [NO_MANIFEST.at(())]
    document, findings = _read_manifest(files[name], name)
    if document is None:
        return None, findings
    folder = Folder(files, name, header_of(document))
    sets, trouble = _read_sets(folder)
    findings += [OUTSIDE.at((), name=outside) for outside in folder.outside] + trouble
    if has_errors(trouble):
        return None, findings
    key = identify(NodeKind.PACK, document)[0]
    return Pack(NAME, key, document, (), tuple(sets), tuple(folder.assets()), tuple(folder.others())), findings


def _read_manifest(data: bytes, name: str) -> tuple[Document | None, list[Finding]]:
    root, findings = yamlio.read(data, file=name, dialect=yamlio.YAML_11)
    findings = [replace(finding, rule=finding.rule or "ConfigError") for finding in findings]
    if isinstance(root, dict) and root.get("schema_version") == "2.0" and "version" not in root:
        findings.append(replace(VERSION_2.at(("schema_version",)), file=name, line=1, column=1))
        return None, findings
    if isinstance(root, dict):
        return root, findings
    if not any(finding.is_error for finding in findings):
        findings.append(replace(NOT_A_MAPPING.at((), field="manifest"), file=name, line=1, column=1))
    return None, findings


@dataclass(frozen=True, slots=True)
class Folder:
    """The files of a pack, named from the folder of its manifest."""

    files: Files
    manifest: str
    header: Header

    @property
    def prefix(self) -> str:
        folder = self.manifest.rpartition("/")[0]
        return f"{folder}/" if folder else ""

    @property
    def outside(self) -> list[str]:
        return [name for name in self.files if not name.startswith(self.prefix)]

    def inside(self) -> Iterator[tuple[str, bytes]]:
        """The files below the manifest's folder, sorted by name, without the manifest itself."""
        for name in sorted(self.files):
            if name.startswith(self.prefix) and name != self.manifest:
                yield name[len(self.prefix) :], self.files[name]

    def rows_files(self) -> list[tuple[str, bytes]]:
        return [(name, data) for name, data in self.inside() if is_rows_file(name, self.header) and _holds_rows(data)]

    def assets(self) -> Iterator[Asset]:
        for name, data in self.inside():
            if name.startswith(self.header.roots):
                yield Asset(name, name, {"path": name}, data)

    def others(self) -> Iterator[File]:
        rows = {name for name, _ in self.rows_files()}
        for name, data in self.inside():
            if name not in rows and not name.startswith(self.header.roots):
                yield File(name, data)


def is_rows_file(name: str, header: Header) -> bool:
    """Whether a file of this name can hold rows: it lies below none of the asset roots."""
    return name.endswith(ROWS_SUFFIX) and not name.startswith(header.roots)


def _holds_rows(data: bytes) -> bool:
    """Whether a file has rows, not the records of a run that upstream writes."""
    line = next((line for _, line in lines_of(data[:65536])), b"")
    return _RUN_RECORD.search(line) is None


def _read_sets(folder: Folder) -> tuple[list[InputSet], list[Finding]]:
    sets, trouble = [], []
    for position, (name, data) in enumerate(folder.rows_files()):
        found: list[Finding] = []
        cases = (_read_long if len(data) > LONG else _read_rows)(data.removeprefix(b"\xef\xbb\xbf"), found)
        sets.append(InputSet(name, {"file": name}, cases))
        for finding in found:
            path = ("rows", position, *finding.path) if finding.path else ()
            trouble.append(replace(finding, path=path, file=folder.prefix + name))
    return sets, trouble


def _read_rows(data: bytes, found: list[Finding]) -> Sequence[Case]:
    """The cases of a rows file; `found` takes what a line says otherwise, and the lines that are no text."""
    cases: list[Case] = []
    for number, line in lines_of(data):
        if too_long := too_long_for(len(line)):
            found.append(replace(too_long, field="line", line=number, column=1))
            continue
        try:
            row, findings = read_line(line)
        except UnicodeDecodeError:
            found.append(_not_text(number))
            continue
        for finding in findings:
            path = (len(cases), *finding.path)
            found.append(replace(finding, path=path, field=render_path(finding.path), line=number))
        cases.append(case_node(row))
    return tuple(cases)


def _read_long(data: bytes, found: list[Finding]) -> Sequence[Case]:
    """The same for a long file, whose lines are read when they are asked for; only unreadable ones are reported."""
    rows = Rows(data, lambda line: case_node(read_line(line.strip())[0]))
    for number, start, end in spans_of(data):
        line = data[start:end]
        if too_long := too_long_for(len(line)):
            found.append(replace(too_long, field="line", line=number, column=1))
            continue
        if line.isascii():
            rows.add(start, end)
            continue
        try:
            line.decode()
        except UnicodeDecodeError:
            found.append(_not_text(number))
        else:
            rows.add(start, end)
    return rows


def _not_text(number: int) -> Finding:
    return replace(NOT_TEXT.at((), field="line"), line=number, column=1)


def case_node(row: Document) -> Case:
    """The case of a row's document. Its family is no part of its identity: ids are unique in a file."""
    return Case(stated(row, "id"), "", row)


def stated(document: Mapping[str, Any], name: str) -> str:
    """A text that a document states, trimmed; empty where it states none."""
    value = document.get(name)
    return value.strip() if isinstance(value, str) else ""


_KEY_FIELDS = {NodeKind.PACK: "id", NodeKind.INPUT_SET: "file", NodeKind.CASE: "id", NodeKind.ASSET: "path"}


def identify(kind: NodeKind, document: Document) -> tuple[str, str]:
    """Key that a document states; see `Adapter.identify`. Cases belong to no challenge."""
    return stated(document, _KEY_FIELDS.get(kind, "")), ""


def is_raw(row: Document) -> bool:
    """Whether a document stands for a line that is no row."""
    return LINE in row


def version_number(pack: Pack) -> int | None:
    """The version number that the manifest states, where it is a positive whole number that a database column holds."""
    number = pack.document.get("version")
    return number if type(number) is int and 0 < number <= INT32_MAX else None
