"""Addresses: from paths to nodes and back, and from findings to lines."""

from collections.abc import Iterable
from dataclasses import replace

from packs.formats import yamlio
from packs.formats.adapter import Files
from packs.formats.benchmark_pack.header import Header, header_of
from packs.formats.benchmark_pack.reader import Folder, manifest_name
from packs.formats.benchmark_pack.rows import lines_of
from packs.formats.document import Address, NodeKind
from packs.formats.findings import Finding, Path


def path_of(address: Address) -> Path:
    """The path to a node's document; see `Adapter.path_of`. The manifest's own starts with `manifest`."""
    match address.kind:
        case NodeKind.INPUT_SET | NodeKind.CASE:
            return ("rows", *address.indices)
        case NodeKind.ASSET:
            return ("files", *address.indices)
        case _:
            return ("manifest",)


def locate(finding: Finding) -> tuple[Address, Path]:
    """The node that a finding is about and the path inside its document; see `Adapter.locate`."""
    match finding.path:
        case ("rows", int(parent), int(index), *rest):
            return Address(NodeKind.CASE, (parent, index)), tuple(rest)
        case ("rows", int(index), *rest):
            return Address(NodeKind.INPUT_SET, (index,)), tuple(rest)
        case ("files", int(index), *rest):
            return Address(NodeKind.ASSET, (index,)), tuple(rest)
        case ("manifest", *rest):
            return Address(NodeKind.PACK), tuple(rest)
        case _:
            return Address(NodeKind.PACK), finding.path


def place(files: Files, findings: Iterable[Finding]) -> list[Finding]:
    """Fill in file and line of findings; see `Adapter.place`. Rows are one line each and get no column."""
    waiting = list(findings)
    name = manifest_name(files)
    if not name or all(finding.line for finding in waiting):
        return waiting
    root, _ = yamlio.read(files[name], dialect=yamlio.YAML_11)
    folder = Folder(files, name, header_of(root) if isinstance(root, dict) else Header())
    sets = [(folder.prefix + rows, data) for rows, data in folder.rows_files()]
    assets = [folder.prefix + asset.path for asset in folder.assets()]
    found = _in_rows(sets, waiting)
    marks = yamlio.locate(files[name], {finding.path[1:] for finding in waiting if finding.path[:1] == ("manifest",)})
    placed = []
    for finding in found:
        match finding.path:
            case _ if finding.line:
                placed.append(finding)
            case ("manifest", *rest):
                mark = marks[tuple(rest)]
                placed.append(replace(finding, file=name, line=mark.line, column=mark.column))
            case ("files", int(index), *_):
                placed.append(replace(finding, file=assets[index]))
            case _:
                placed.append(replace(finding, file=finding.file or name))
    return placed


def _in_rows(sets: list[tuple[str, bytes]], findings: list[Finding]) -> list[Finding]:
    """The findings about rows with the numbers of their lines."""
    wanted: dict[int, set[int]] = {}
    for finding in findings:
        match finding.path:
            case ("rows", int(parent), int(index), *_):
                wanted.setdefault(parent, set()).add(index)
    lines = {parent: _line_numbers(sets[parent][1], indices) for parent, indices in wanted.items()}
    return [_on_line(finding, sets, lines) for finding in findings]


def _on_line(finding: Finding, sets: list[tuple[str, bytes]], lines: dict[int, dict[int, int]]) -> Finding:
    match finding.path:
        case ("rows", int(parent), int(index), *_):
            return replace(finding, file=sets[parent][0], line=lines[parent][index])
        case ("rows", int(parent), *_):
            return replace(finding, file=sets[parent][0], line=1)
        case _:
            return finding


def _line_numbers(data: bytes, indices: set[int]) -> dict[int, int]:
    """The line of each wanted row, by its index among the lines that say something."""
    last, found = max(indices), {}
    for index, (number, _) in enumerate(lines_of(data.removeprefix(b"\xef\xbb\xbf"))):
        if index in indices:
            found[index] = number
        if index >= last:
            break
    return found
