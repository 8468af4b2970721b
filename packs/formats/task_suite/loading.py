"""Loading with the findings that only the files can give: a pack without configuration cannot tell them later."""

from collections.abc import Iterator

from packs.formats.adapter import Files
from packs.formats.document import Document, Pack
from packs.formats.findings import Finding, Path
from packs.formats.task_suite import reader
from packs.formats.task_suite.addresses import place
from packs.formats.task_suite.checks.places import check_fixtures, missing_files
from packs.formats.task_suite.layout import lay_out


def load(files: Files) -> tuple[Pack | None, list[Finding]]:
    """Read a pack; see `Adapter.load`. Files that tasks of a folder without configuration name must be there."""
    pack, findings = reader.load(files)
    layout = lay_out(files)
    if pack is None or layout is None or layout.is_alone or layout.config:
        return pack, findings
    reported = [*missing_files(pack, _cases(pack)), *check_fixtures(pack)]
    return pack, findings + place(files, reported)


def _cases(pack: Pack) -> Iterator[tuple[Path, Document]]:
    for parent, input_set in enumerate(pack.input_sets):
        for position, case in enumerate(input_set.cases):
            yield ("input_sets", parent, "cases", position), case.document
