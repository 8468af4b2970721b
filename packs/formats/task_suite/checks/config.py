"""Rules about the configuration of suites and gates (TS-601 to TS-609)."""

from collections.abc import Iterator

from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.task_suite.checks.fields import check_budgets
from packs.formats.task_suite.checks.structure import NO_SECTION
from packs.formats.task_suite.layout import FOLDER
from packs.formats.values import mapping

CONTRADICTION = Rule(
    "task_suite.E603",
    "{suite} says {stated}, and must_include_suites of the merge gate says otherwise.",
    hint="Change one of the two.",
    rule="TS-603",
)
UNKNOWN_LIMIT = Rule(
    "task_suite.W606", "A gate has no budget {name}; nothing reads it.", hint="The budgets are: {known}.", rule="TS-606"
)
OTHER_PATH = Rule(
    "task_suite.W607",
    "The tasks of the suite {suite} stand in {folder}, and what is written here has no effect.",
    hint="Write {folder}.",
    rule="TS-607",
)


LIMITS = ("latency_p95_ms_increase_max", "cost_increase_max_percent", "min_samples")


def check_config(config: Document) -> Iterator[Finding]:
    """Every rule about the configuration that its schema does not say; a pack without one has nothing to check."""
    if not config:
        return
    for name in ("suites", "gates"):
        if name not in config:
            yield NO_SECTION.at((name,), name=name, expected="a mapping")
    for suite, section in mapping(config.get("suites")).items():
        yield from _check_suite(suite, mapping(section), config)
    for gate, section in mapping(config.get("gates")).items():
        for name in mapping(mapping(section).get("budgets")):
            if name not in LIMITS and not name.startswith("x-"):
                path = ("gates", gate, "budgets", name)
                yield UNKNOWN_LIMIT.at(path, name=repr(name[:80]), known=", ".join(LIMITS))


def _check_suite(name: str, section: Document, config: Document) -> Iterator[Finding]:
    path, folder = ("suites", name), f"{FOLDER}/{name}"
    stated = section.get("path", folder)
    if not isinstance(stated, str) or stated.strip("/") != folder:
        yield OTHER_PATH.at((*path, "path"), suite=name, folder=folder)
    yield from check_budgets(section.get("default_budgets"), (*path, "default_budgets"))
    listed = mapping(mapping(config.get("gates")).get("ci_merge_gate")).get("must_include_suites")
    is_required = section.get("required_in_ci_merge")
    if isinstance(is_required, bool) and isinstance(listed, list) and is_required != (name in listed):
        stated = str(is_required).lower()
        yield CONTRADICTION.at((*path, "required_in_ci_merge"), suite=name, stated=stated)
