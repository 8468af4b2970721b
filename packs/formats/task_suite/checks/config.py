"""Rules about the configuration of suites and gates (TS-601 to TS-609)."""

from collections.abc import Iterator
from typing import Any

from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.task_suite.checks.fields import check_budgets
from packs.formats.task_suite.layout import FOLDER
from packs.formats.task_suite.suites import GATES, METRICS, SUITES
from packs.formats.values import is_number, is_whole, listing, mapping, whole_expected

UNKNOWN_SUITE = Rule("task_suite.E601", "There is no suite {name}.", hint="The suites are: {known}.", rule="TS-601")
BAD_TRIALS = Rule(
    "task_suite.E602",
    "{name} must be {expected}.",
    hint="A suite tries each task k times and counts by pass@k or pass^k.",
    rule="TS-602",
)
CONTRADICTION = Rule(
    "task_suite.E603",
    "{suite} says {stated}, and must_include_suites of the merge gate says otherwise.",
    hint="Change one of the two.",
    rule="TS-603",
)
UNKNOWN_GATE = Rule("task_suite.E604", "There is no gate {name}.", hint="The gates are: {known}.", rule="TS-604")
UNKNOWN_CONDITION = Rule(
    "task_suite.E605", "A gate cannot fail on {name}.", hint="It can fail on: {known}.", rule="TS-605"
)
BAD_LIMIT = Rule("task_suite.E606", "{name} must be {expected}.", hint="Give a number of at least 0.", rule="TS-606")
UNKNOWN_LIMIT = Rule(
    "task_suite.W606", "A gate has no budget {name}; nothing reads it.", hint="The budgets are: {known}.", rule="TS-606"
)
OTHER_PATH = Rule(
    "task_suite.W607",
    "The tasks of the suite {suite} stand in {folder}, and what is written here has no effect.",
    hint="Write {folder}.",
    rule="TS-607",
)
NO_SECTION = Rule(
    "task_suite.E608",
    "{name} must be {expected}.",
    hint="A configuration has the sections suites and gates.",
    rule="TS-608",
)
BAD_SHARE = Rule(
    "task_suite.E609",
    "The threshold must be a number from 0 to 1.",
    hint="1.0 asks that every task passes.",
    rule="TS-609",
)

CONDITIONS = ("any_safety_violation", "golden_regression", "forbidden_tool_called")
LIMITS = ("latency_p95_ms_increase_max", "cost_increase_max_percent", "min_samples")
BASELINES = ("pinned", "target_branch", "previous_same_gate", "last_release")
_LISTS = ("must_include_suites", "include_suites")


def check_config(config: Document) -> Iterator[Finding]:
    """Every rule about the configuration; a pack without one has nothing to check."""
    if not config:
        return
    for name in ("suites", "gates"):
        if not isinstance(config.get(name), dict):
            yield NO_SECTION.at((name,), name=name, expected="a mapping")
    for suite, section in mapping(config.get("suites")).items():
        yield from _check_suite(suite, section, config)
    for gate, section in mapping(config.get("gates")).items():
        if gate not in GATES:
            yield UNKNOWN_GATE.at(("gates", gate), name=repr(gate[:80]), known=", ".join(GATES))
        else:
            yield from _check_gate(section, ("gates", gate))


def _check_suite(name: str, section: Any, config: Document) -> Iterator[Finding]:
    path: Path = ("suites", name)
    if name not in SUITES:
        yield UNKNOWN_SUITE.at(path, name=repr(name[:80]), known=", ".join(SUITES))
        return
    if not isinstance(section, dict):
        yield NO_SECTION.at(path, name=name, expected="a mapping")
        return
    folder = f"{FOLDER}/{name}"
    stated = section.get("path", folder)
    if not isinstance(stated, str) or stated.strip("/") != folder:
        yield OTHER_PATH.at((*path, "path"), suite=name, folder=folder)
    yield from _check_trials(section.get("default_trials", {}), (*path, "default_trials"))
    yield from check_budgets(section.get("default_budgets"), (*path, "default_budgets"))
    yield from _check_required(name, section, config)


def _check_trials(trials: Any, path: Path) -> Iterator[Finding]:
    if not isinstance(trials, dict):
        yield BAD_TRIALS.at(path, name="default_trials", expected="a mapping with k and metric")
        return
    if "k" in trials and not is_whole(trials["k"]):
        yield BAD_TRIALS.at((*path, "k"), name="k", expected=whole_expected(trials["k"]))
    if "metric" in trials and trials["metric"] not in METRICS:
        yield BAD_TRIALS.at((*path, "metric"), name="metric", expected=" or ".join(METRICS))


def _check_required(name: str, section: Document, config: Document) -> Iterator[Finding]:
    path = ("suites", name, "required_in_ci_merge")
    listed = mapping(mapping(config.get("gates")).get("ci_merge_gate")).get("must_include_suites")
    stated = section.get("required_in_ci_merge")
    if stated is None:
        return
    if not isinstance(stated, bool):
        yield NO_SECTION.at(path, name="required_in_ci_merge", expected="true or false")
    elif isinstance(listed, list) and stated != (name in listed):
        yield CONTRADICTION.at(path, suite=name, stated=str(stated).lower())


def _check_gate(section: Any, path: Path) -> Iterator[Finding]:
    if not isinstance(section, dict):
        yield NO_SECTION.at(path, name=str(path[-1]), expected="a mapping")
        return
    for field in _LISTS:
        yield from _check_names(section.get(field, []), (*path, field), UNKNOWN_SUITE, tuple(SUITES))
    yield from _check_names(section.get("fail_on", []), (*path, "fail_on"), UNKNOWN_CONDITION, CONDITIONS)
    yield from _check_limits(section.get("budgets", {}), (*path, "budgets"))
    yield from _check_thresholds(section.get("suite_thresholds", {}), (*path, "suite_thresholds"))
    yield from _check_baseline(section, path)


def _check_names(names: Any, path: Path, rule: Rule, known: tuple[str, ...]) -> Iterator[Finding]:
    if not isinstance(names, list):
        yield NO_SECTION.at(path, name=str(path[-1]), expected="a list")
    for index, name in enumerate(listing(names)):
        if name not in known:
            yield rule.at((*path, index), name=repr(name)[:80], known=", ".join(known))


def _check_limits(limits: Any, path: Path) -> Iterator[Finding]:
    if not isinstance(limits, dict):
        yield NO_SECTION.at(path, name="budgets", expected="a mapping")
    for name, value in mapping(limits).items():
        if name not in LIMITS:
            if not name.startswith("x-"):
                yield UNKNOWN_LIMIT.at((*path, name), name=repr(name[:80]), known=", ".join(LIMITS))
        elif name == "min_samples" and not is_whole(value):
            yield BAD_LIMIT.at((*path, name), name=name, expected=whole_expected(value))
        elif not is_number(value) or value < 0:
            yield BAD_LIMIT.at((*path, name), name=name, expected="a number of at least 0")


def _check_thresholds(thresholds: Any, path: Path) -> Iterator[Finding]:
    if not isinstance(thresholds, dict):
        yield NO_SECTION.at(path, name="suite_thresholds", expected="a mapping")
    for name, value in mapping(thresholds).items():
        if name not in SUITES:
            yield UNKNOWN_SUITE.at((*path, name), name=repr(name[:80]), known=", ".join(SUITES))
        elif value is not None and not (is_number(value) and 0 <= value <= 1):
            yield BAD_SHARE.at((*path, name))


def _check_baseline(section: Document, path: Path) -> Iterator[Finding]:
    baseline = section.get("baseline", {})
    if not isinstance(baseline, dict):
        yield NO_SECTION.at((*path, "baseline"), name="baseline", expected="a mapping")
    elif baseline.get("policy", BASELINES[0]) not in BASELINES:
        yield NO_SECTION.at((*path, "baseline", "policy"), name="policy", expected=f"one of {', '.join(BASELINES)}")
    if not isinstance(section.get("blocking", True), bool):
        yield NO_SECTION.at((*path, "blocking"), name="blocking", expected="true or false")
