"""Addresses: from paths to nodes and back, and from findings to files and lines.

Several files make a pack, so nodes other than the pack have paths of our own: `input_sets[0].cases[2]` and so on. Once
a finding has its file, its field is named as it stands in that file.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from packs.formats import yamlio
from packs.formats.adapter import Files
from packs.formats.document import NodeKind
from packs.formats.findings import Finding, Path, render_path
from packs.formats.node_paths import NodePaths
from packs.formats.task_suite.reader import task_files

_PATHS = NodePaths()
path_of, locate = _PATHS.path_of, _PATHS.locate


def place(files: Files, findings: Iterable[Finding]) -> list[Finding]:
    """Fill in file, line and column of findings; see `Adapter.place`."""
    waiting = list(findings)
    wanted: dict[str, set[Path]] = defaultdict(set)
    homes = _Homes(files)
    placed = [(finding, *homes.of(finding)) for finding in waiting]
    for finding, file, path in placed:
        if file and not finding.line:
            wanted[file].add(path)
    marks = {file: yamlio.locate(files[file], paths) for file, paths in wanted.items() if file in homes.documents}
    found = []
    for finding, file, path in placed:
        if finding.line or not file:
            found.append(finding)
            continue
        mark = marks.get(file, {}).get(path)
        line, column = (mark.line, mark.column) if mark else (1, 1)
        found.append(replace(finding, file=file, line=line, column=column, field=render_path(path)))
    return found


class _Homes:
    """Which file a finding is about."""

    def __init__(self, files: Files) -> None:
        self.config, self.tasks, self.assets = task_files(files)
        self.files = files
        self.documents = {self.config, *(name for names in self.tasks for name in names)} - {""}

    def of(self, finding: Finding) -> tuple[str, Path]:
        """The file's name, empty where there is none, and the path inside it."""
        if finding.path[:1] == ("files",) and len(finding.path) == 2:
            return self._left_out(str(finding.path[1])), ()
        address, path = locate(finding)
        if address.kind is NodeKind.CASE:
            parent, index = address.indices
            names = self.tasks[parent] if parent < len(self.tasks) else []
            return (names[index] if index < len(names) else ""), path
        if address.kind is NodeKind.ASSET:
            (index,) = address.indices
            return (self.assets[index] if index < len(self.assets) else ""), ()
        return (self.config, path) if address.kind is NodeKind.PACK else ("", path)

    def _left_out(self, own_name: str) -> str:
        return next((name for name in self.files if name == own_name or name.endswith(f"/{own_name}")), own_name)
