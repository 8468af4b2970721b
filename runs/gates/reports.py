"""What a gate says, as JSON and as JUnit XML for pipelines (task-suite 7.5)."""

import re
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from runs.gates.values import Condition, GateResult, GateTask
from runs.statistics.estimates import wilson
from runs.statistics.shares import suite_pass_rate

# What XML 1.0 cannot hold.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_json(result: GateResult, run_id: str = "", baseline_run_id: str = "") -> dict[str, Any]:
    """The report of a gate as JSON values."""
    return {
        "gate": result.gate,
        "verdict": result.verdict,
        "exit_code": result.exit_code,
        "blocking": result.blocking,
        "run_id": run_id or None,
        "baseline_run_id": baseline_run_id or None,
        "conditions": [condition.as_dict() for condition in result.conditions],
        "suites": {suite: _suite(tasks) for suite, tasks in _by_suite(result)},
        "tasks": [_task(task) for task in result.members],
        "warnings": list(result.warnings),
    }


def _by_suite(result: GateResult) -> Iterator[tuple[str, list[GateTask]]]:
    for suite in dict.fromkeys(task.suite for task in result.members):
        yield suite, [task for task in result.members if task.suite == suite]


def _suite(tasks: Sequence[GateTask]) -> dict[str, Any]:
    counts = {name: sum(task.verdict == name for task in tasks) for name in ("pass", "fail", "incomplete")}
    bounds = wilson(counts["pass"], len(tasks))
    return {
        "members": len(tasks),
        "passed": counts["pass"],
        "failed": counts["fail"],
        "incomplete": counts["incomplete"],
        "pass_rate": suite_pass_rate(counts["pass"], len(tasks)),
        "wilson95": list(bounds) if bounds else None,
    }


def _task(task: GateTask) -> dict[str, Any]:
    bounds = task.interval
    return {
        "task_id": task.task_id,
        "suite": task.suite,
        "verdict": task.verdict,
        "k": task.k,
        "metric": task.metric,
        "n": len(task.valid),
        "c": task.passes,
        "estimate": task.estimate,
        "ci": list(bounds) if bounds else None,
    }


def as_junit(result: GateResult) -> str:
    """The report of a gate as JUnit XML: a suite for each of the pack's, and one for the conditions."""
    root = Element("testsuites", name=result.gate)
    for suite, tasks in _by_suite(result):
        cases = [_task_case(task) for task in tasks]
        add_suite(root, suite, cases, sum(_seconds(task) for task in tasks))
    add_suite(root, f"gate:{result.gate}", [_condition_case(condition) for condition in result.conditions], 0.0)
    return junit_text(root)


def junit_text(root: Element) -> str:
    """The text of a JUnit report whose suites are there, with their sums."""
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    root.set("time", _number(sum(float(suite.get("time", "0")) for suite in root)))
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def add_suite(root: Element, name: str, cases: Sequence[Element], seconds: float) -> None:
    """Add a suite of test cases, each an element that holds what kept it from passing."""
    suite = SubElement(root, "testsuite", name=writable(name), tests=str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("time", _number(seconds))
    suite.extend(cases)


def _task_case(task: GateTask) -> Element:
    names = {"classname": writable(f"evals.{task.suite}"), "name": writable(task.task_id)}
    case = Element("testcase", names, time=_number(_seconds(task)))
    bounds = task.interval
    facts = {
        "k": task.k,
        "metric": task.metric,
        "n": len(task.valid),
        "c": task.passes,
        "estimate": task.estimate,
        "ci": None if bounds is None else f"{bounds[0]:.9g}..{bounds[1]:.9g}",
    }
    properties = SubElement(case, "properties")
    for name, value in facts.items():
        SubElement(properties, "property", name=name, value="" if value is None else str(value))
    message = task.described
    if task.verdict == "fail":
        failure = SubElement(case, "failure", type=task.metric, message=message)
        failure.text = writable("\n".join(_reasons(task)))
    elif task.verdict == "incomplete":
        SubElement(case, "error", type=task.metric, message=f"{message}; {task.k} valid trials are needed")
    return case


def _reasons(task: GateTask) -> Iterator[str]:
    for index in task.deciding():
        trial = task.trials[index]
        yield f"trial {index + 1}: {trial.reason or trial.state}"


def _condition_case(condition: Condition) -> Element:
    case = Element("testcase", classname="gate", name=writable(condition.id))
    if condition.status == "fail":
        reported = condition.reason or f"observed {condition.observed}, limit {condition.limit}"
        failure = SubElement(case, "failure", type=writable(condition.id), message=writable(reported))
        failure.text = writable("\n".join(f"{each.task_id}: {each.reason}" for each in condition.offenders))
    elif condition.status == "not_evaluated":
        SubElement(case, "skipped", message=writable(condition.reason or "not evaluated"))
    return case


def _seconds(task: GateTask) -> float:
    return sum(trial.wall_seconds or 0.0 for trial in task.trials)


def _number(seconds: float) -> str:
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


def writable(text: str) -> str:
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)
