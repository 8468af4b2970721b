"""Addresses: from paths in the file to nodes and back, and from findings to lines."""

from collections.abc import Iterable
from dataclasses import replace

from packs.formats import yamlio
from packs.formats.adapter import Files
from packs.formats.challenge_pack.reader import dropped_in, pack_file
from packs.formats.challenge_pack.structure import NOT_NODES
from packs.formats.document import Address, NodeKind
from packs.formats.findings import Finding, Path
from packs.formats.node_paths import NodePaths

_PATHS = NodePaths(assets=("version", "assets"))
path_of = _PATHS.path_of


def locate(finding: Finding) -> tuple[Address, Path]:
    """The node that a finding is about and the path inside its document; see `Adapter.locate`."""
    if finding.code == NOT_NODES.code and len(finding.path) < 3:
        return Address(NodeKind.PACK), finding.path
    return _PATHS.locate(finding)


def place(files: Files, findings: Iterable[Finding]) -> list[Finding]:
    """Fill in file, line and column of findings; see `Adapter.place`."""
    waiting = list(findings)
    name, trouble = pack_file(files)
    if trouble or all(finding.line for finding in waiting):
        return waiting
    data = files[name]
    unplaced = {finding.path for finding in waiting if not finding.line}
    written = _with_blanks(data, _as_written(data, unplaced))
    marks = yamlio.locate(data, written.values())
    return [
        finding
        if finding.line
        else replace(
            finding,
            file=name,
            line=marks[written[finding.path]].line,
            column=marks[written[finding.path]].column,
        )
        for finding in waiting
    ]


def _with_blanks(data: bytes, written: dict[Path, Path]) -> dict[Path, Path]:
    """The paths with the places that items have in the file, where blank ones among them were left out."""
    dropped = dropped_in(data) if written else {}
    if not dropped:
        return written
    return {path: _counting(dropped, place) for path, place in written.items()}


def _counting(dropped: dict[Path, list[int]], path: Path) -> Path:
    found: Path = ()
    for step in path:
        if isinstance(step, int):
            for blank in dropped.get(found, ()):
                step += blank <= step
        found = (*found, step)
    return found


def _as_written(data: bytes, paths: set[Path]) -> dict[Path, Path]:
    """Each path as the file spells it: the cases of a set may stand in the old list `items`."""
    written = {path: path for path in paths}
    if b"items" not in yamlio.plain_bytes(data):
        return written
    sets = {path[1] for path in paths if path[:1] == ("input_sets",) and path[2:3] == ("cases",)}
    probes = {index: ("input_sets", index, "cases", 0) for index in sets}
    marks = yamlio.locate(data, [probe[:end] for probe in probes.values() for end in (2, 3, 4)])
    places = {path: (mark.line, mark.column) for path, mark in marks.items()}
    # A missing list gives the place of the set, an empty one its own: neither holds the first case.
    old = {i for i, probe in probes.items() if places[probe] in (places[probe[:2]], places[probe[:3]])}
    for path in paths:
        if len(path) > 3 and path[0] == "input_sets" and path[1] in old and path[2] == "cases":
            written[path] = (*path[:2], "items", *path[3:])
    return written
