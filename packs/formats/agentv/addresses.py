"""Addresses: from paths to nodes and back, and from findings to files and lines.

Several files make a pack, so nodes have paths of our own: `input_sets[0].cases[2]` and so on. Once a finding has its
file, its field is named as it stands in that file.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

from packs.formats import yamlio
from packs.formats.adapter import Files
from packs.formats.agentv.layout import SETTINGS, suite_names
from packs.formats.agentv.reader import Origin, Source, asset_names, read_sources
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Path, render_path
from packs.formats.node_paths import NodePaths

_PATHS = NodePaths()
path_of, locate = _PATHS.path_of, _PATHS.locate


def place(files: Files, findings: Iterable[Finding]) -> list[Finding]:
    """Fill in file, line and column of findings; see `Adapter.place`."""
    waiting = list(findings)
    if not waiting:
        return []
    homes = _Homes(files)
    placed = [(finding, *homes.of(finding)) for finding in waiting]
    wanted: dict[str, set[Path]] = defaultdict(set)
    for _, origin, path in placed:
        if origin.file in files and not origin.line:
            wanted[origin.file].add(origin.path + path)
    marks = {name: yamlio.locate(files[name], paths) for name, paths in wanted.items()}
    found = []
    for finding, origin, path in placed:
        if finding.line or not origin.file:
            found.append(finding)
            continue
        mark = marks.get(origin.file, {}).get(origin.path + path)
        line, column = (mark.line, mark.column) if mark else (origin.line or 1, 1)
        field = _field(finding, render_path(origin.path + path))
        found.append(replace(finding, file=origin.file, line=line, column=column, field=field))
    return found


def _field(finding: Finding, usual: str) -> str:
    """The field as AgentV spells it: it names repositories by their paths, and leaves the test out."""
    _, is_spelt, after = finding.field.rpartition("workspace.")
    return f"workspace.{after}" if is_spelt else usual


class _Homes:
    """Where the nodes of a pack stand in its files. Those are read again only for what cannot be known without."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.suites = suite_names(files)

    @cached_property
    def sources(self) -> list[Source]:
        return read_sources(self.files)

    @cached_property
    def assets(self) -> list[str]:
        return asset_names(self.files, self.sources)

    def of(self, finding: Finding) -> tuple[Origin, Path]:
        """The file that a finding is about with the place of its node there, and the path inside the node."""
        address, path = locate(finding)
        match address.kind, address.indices:
            case NodeKind.CASE, (parent, index) if parent < len(self.suites) and index < len(self._tests(parent)):
                return self._tests(parent)[index][1], path
            case NodeKind.INPUT_SET, (index,) if index < len(self.suites):
                return Origin(self.suites[index]), () if path[:1] == ("$file",) else path
            case NodeKind.ASSET, (index,) if index < len(self.assets):
                # A finding inside a file stands at its place there.
                asset = self.assets[index]
                return (Origin(asset), path) if path[:1] == ("targets",) else (Origin(asset, (), 1), ())
            case NodeKind.PACK, _ if path:
                return Origin(SETTINGS), path
        return Origin(""), path

    def _tests(self, parent: int) -> list[tuple[Document, Origin]]:
        return self.sources[parent].tests
