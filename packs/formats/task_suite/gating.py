"""What gates ask of a task (task-suite 7): its fingerprint, its own words about gates, tools that it forbids."""

from collections.abc import Iterator, Mapping
from hashlib import sha256

from packs.formats.document import Document
from packs.formats.task import Gating
from packs.formats.task_suite.checks.rubrics import named_files
from packs.formats.task_suite.fingerprint import fingerprint
from packs.formats.task_suite.layout import candidates
from packs.formats.values import listing, mapping


def gating_of(document: Document, config: Document, suite: str, files: Mapping[str, bytes]) -> Gating:
    """The gating of one task; `files` are those of the pack by their paths."""
    forbidden = listing(mapping(document.get("inputs")).get("forbidden_tools"))
    flags = mapping(document.get("gates"))
    return Gating(
        fingerprint=fingerprint(document, dict(_rubrics(document, suite, files)), config),
        flags={gate: flag for gate, flag in flags.items() if isinstance(flag, bool)},
        forbidden_tools=tuple(tool for tool in forbidden if isinstance(tool, str)),
    )


def _rubrics(document: Document, suite: str, files: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """The files that the graders name, as the task writes their paths, with the SHA-256 of their bytes."""
    for grader in map(mapping, listing(document.get("graders"))):
        for _, path in named_files(grader):
            content = next((files[name] for name in candidates(suite, path) if name in files), None)
            if content is not None:
                yield path, sha256(content).hexdigest()
