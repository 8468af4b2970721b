"""Rules about the task itself: names, tags, environment, trials, gates and metrics (TS-2xx, TS-4xx)."""

from collections.abc import Iterator

from packs.formats.advice import did_you_mean
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.task_suite.catalogue import METRIC_FIELDS, METRICS
from packs.formats.task_suite.suites import (
    GATES,
    RESET_MODES,
    default_trials,
    listed_suites,
    suite_of,
)
from packs.formats.values import is_whole, listing, mapping

NO_INPUTS = Rule(
    "task_suite.W204",
    "The task has no inputs.",
    hint="Give at least a user_message or an issue_statement.",
    rule="TS-204",
)
SAME_TAG = Rule("task_suite.W205", "The tag {tag} is given twice.", hint="Keep one of the two.", rule="TS-205")
MANY_STEPS = Rule(
    "task_suite.W208",
    "{value} steps are more than the {limit} that the suite {suite} allows by default.",
    hint="Lower the number, or keep it if the task needs that many turns.",
    rule="TS-208",
)
RESET_MODE = Rule(
    "task_suite.W210",
    "The reset does not name a known mode.",
    hint="Set mode to one of: {known}.",
    rule="TS-210",
)
NO_SANDBOX = Rule(
    "task_suite.W211", "The environment does not name its sandbox.", hint="Add the key sandbox.", rule="TS-211"
)
FEW_TRIALS = Rule(
    "task_suite.W220",
    "{k} trials are fewer than the {default} of the suite {suite}.",
    hint="Raise k, or keep it if fewer trials are enough here.",
    rule="TS-220",
)
OTHER_METRIC = Rule(
    "task_suite.W221",
    "{metric} differs from what the suite {suite} counts by ({default}).",
    hint="pass^k asks that all trials pass, pass@k that one does.",
    rule="TS-221",
)
UNKNOWN_METRIC = Rule(
    "task_suite.W403",
    "{name} is not known as a {what} of tracked metrics; it is kept, but not measured.",
    hint="{advice}",
    rule="TS-403",
)
REPEATED_METRIC = Rule("task_suite.W405", "{name} is listed twice.", hint="Keep one of the two.", rule="TS-405")
NO_GATE = Rule(
    "task_suite.W412", "The task belongs to no gate.", hint="Set at least one of the three to true.", rule="TS-412"
)
OPTED_OUT = Rule(
    "task_suite.W413",
    "The merge gate asks for the suite {suite}, and this task opts out of it.",
    hint="Remove the flag once the task has proved itself.",
    rule="TS-413",
)
OPTED_IN = Rule(
    "task_suite.W414",
    "An open-ended task takes part in the merge gate.",
    hint="Judged results vary, so expect the gate to be noisy.",
    rule="TS-414",
)


def check_identity(document: Document) -> Iterator[Finding]:
    """TS-204."""
    if document.get("inputs") == {}:
        yield NO_INPUTS.at(("inputs",))


def check_tags(document: Document) -> Iterator[Finding]:
    """TS-205."""
    seen: set[str] = set()
    for index, tag in enumerate(listing(document.get("tags"))):
        if isinstance(tag, str) and tag in seen:
            yield SAME_TAG.at(("tags", index), tag=repr(tag[:80]))
        if isinstance(tag, str):
            seen.add(tag)


def _advice(name: str, known: tuple[str, ...]) -> str:
    return did_you_mean(name, known, "Begin names of your own with x-.")


def check_environment(document: Document) -> Iterator[Finding]:
    """TS-208 to TS-211."""
    environment = document.get("environment")
    if not isinstance(environment, dict):
        return
    if "sandbox" not in environment:
        yield NO_SANDBOX.at(("environment", "sandbox"))
    reset = environment.get("reset")
    if isinstance(reset, dict) and reset.get("mode") not in RESET_MODES:
        yield RESET_MODE.at(("environment", "reset", "mode"), known=", ".join(RESET_MODES))
    suite, steps = suite_of(document), mapping(environment.get("budgets")).get("max_steps")
    if suite and is_whole(steps) and steps > suite.budgets[0]:
        where = ("environment", "budgets", "max_steps")
        yield MANY_STEPS.at(where, value=steps, limit=suite.budgets[0], suite=suite.name)


def check_trials(document: Document, config: Document) -> Iterator[Finding]:
    """TS-220 and TS-221: fewer or other than the default."""
    suite, trials = suite_of(document), mapping(document.get("trials"))
    k, metric = trials.get("k"), trials.get("metric")
    if suite is None:
        return
    default = default_trials(suite, config)
    if is_whole(k) and k < default.k:
        yield FEW_TRIALS.at(("trials", "k"), k=k, default=default.k, suite=suite.name)
    if metric in ("pass@k", "pass^k") and metric != default.metric:
        yield OTHER_METRIC.at(("trials", "metric"), metric=metric, default=default.metric, suite=suite.name)


def check_metrics(document: Document) -> Iterator[Finding]:
    """TS-403 and TS-405."""
    seen: set[str] = set()
    for index, metric in enumerate(listing(document.get("tracked_metrics"))):
        if isinstance(metric, dict):
            yield from _check_metric(metric, ("tracked_metrics", index))
            kind = metric.get("type")
            if isinstance(kind, str) and kind in seen:
                yield REPEATED_METRIC.at(("tracked_metrics", index, "type"), name=repr(kind[:80]))
            seen.add(kind if isinstance(kind, str) else "")


def _check_metric(metric: Document, path: Path) -> Iterator[Finding]:
    kind = metric.get("type")
    if isinstance(kind, str) and kind not in METRICS:
        advice = _advice(kind, tuple(METRICS))
        yield UNKNOWN_METRIC.at((*path, "type"), name=repr(kind[:80]), what="type", advice=advice)
    field = "metrics" if "metrics" in metric else "fields"
    names = [name for name in listing(metric.get(field)) if isinstance(name, str)]
    yield from _check_names(names, (*path, field))


def _check_names(names: list[str], path: Path) -> Iterator[Finding]:
    for index, name in enumerate(names):
        if name in names[:index]:
            yield REPEATED_METRIC.at((*path, index), name=repr(name[:80]))
        elif name not in METRIC_FIELDS:
            advice = _advice(name, METRIC_FIELDS)
            yield UNKNOWN_METRIC.at((*path, index), name=repr(name[:80]), what="field", advice=advice)


def check_gates(document: Document, config: Document) -> Iterator[Finding]:
    """TS-412 to TS-414."""
    gates = mapping(document.get("gates"))
    if all(gates.get(gate) is False for gate in GATES):
        yield NO_GATE.at(("gates",))
    flag, suite = gates.get("ci_merge_gate"), document.get("suite")
    if flag is False and suite in listed_suites("ci_merge_gate", config):
        yield OPTED_OUT.at(("gates", "ci_merge_gate"), suite=suite)
    if flag is True and suite == "open_ended":
        yield OPTED_IN.at(("gates", "ci_merge_gate"))
