"""Rules about the configuration of suites and gates (TS-601 to TS-609)."""

from collections.abc import Iterator

from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.task_suite.checks.structure import NO_SECTION
from packs.formats.task_suite.layout import FOLDER
from packs.formats.values import mapping

CONTRADICTION = Rule(
    "task_suite.E603",
    "{suite} says {stated}, and must_include_suites of the merge gate says otherwise.",
    hint="Change one of the two.",
    rule="TS-603",
)
OTHER_PATH = Rule(
    "task_suite.W607",
    "The tasks of the suite {suite} stand in {folder}, and what is written here has no effect.",
    hint="Write {folder}.",
    rule="TS-607",
)


def check_config(config: Document) -> Iterator[Finding]:
    """Every rule about the configuration that its schema does not say; a pack without one has nothing to check."""
    if not config:
        return
    for name in ("suites", "gates"):
        if name not in config:
            yield NO_SECTION.at((name,), name=name, expected="a mapping")
    for suite, section in mapping(config.get("suites")).items():
        yield from _check_suite(suite, mapping(section), config)


def _check_suite(name: str, section: Document, config: Document) -> Iterator[Finding]:
    path, folder = ("suites", name), f"{FOLDER}/{name}"
    stated = section.get("path", folder)
    if not isinstance(stated, str) or stated.strip("/") != folder:
        yield OTHER_PATH.at((*path, "path"), suite=name, folder=folder)
    listed = mapping(mapping(config.get("gates")).get("ci_merge_gate")).get("must_include_suites")
    is_required = section.get("required_in_ci_merge")
    if isinstance(is_required, bool) and isinstance(listed, list) and is_required != (name in listed):
        stated = str(is_required).lower()
        yield CONTRADICTION.at((*path, "required_in_ci_merge"), suite=name, stated=stated)
