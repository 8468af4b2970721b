"""Reading how many tests passed from the output of a test command (challenge-pack d.3)."""

import re
import xml.parsers.expat
from typing import Any

from runs.grading.graders.values import as_count, parse_json

MAX_OUTPUT = 1_000_000

_PHRASE = re.compile(r"([0-9]{1,9})\s+(passed|failed|errors?)\b", re.IGNORECASE)

# Passed, failed, errors, total.
Counted = tuple[int, int, int, int]


def count_tests(output: str) -> Counted | None:
    """Counts from a JSON object, JUnit XML or phrases like "3 passed"; only the end of a long output is read."""
    text = output[-MAX_OUTPUT:].strip()
    return _from_json(text) or _from_junit(text) or _from_phrases(text)


def _from_json(text: str) -> Counted | None:
    if not text.startswith("{"):
        return None
    try:
        stated = parse_json(text)
    except ValueError:
        return None
    errors = stated.get("errors", stated.get("error"))
    passed, failed, errored = (as_count(value) or 0 for value in (stated.get("passed"), stated.get("failed"), errors))
    return _counted(passed, failed, errored, as_count(stated.get("total")) or 0)


def _from_junit(text: str) -> Counted | None:
    """From the root `testsuite` or `testsuites`, or the sum of its suites when the root states no number."""
    if not text.startswith("<"):
        return None
    suites: list[tuple[int, dict[str, str]]] = []
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        if name in ("testsuite", "testsuites") and depth <= 1:
            suites.append((depth, attributes))
        depth += 1

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.EntityDeclHandler = _refuse_entities
    try:
        parser.Parse(text, True)
    except (xml.parsers.expat.ExpatError, ValueError):
        return None
    return _from_suites(suites)


def _refuse_entities(*details: Any) -> None:
    raise ValueError("entities are not read")


def _from_suites(suites: list[tuple[int, dict[str, str]]]) -> Counted | None:
    roots = [attributes for depth, attributes in suites if depth == 0]
    if not roots:
        return None
    chosen = roots if _attribute(roots[0], "tests") > 0 else [attributes for depth, attributes in suites if depth == 1]
    total, failed, errors = (
        sum(_attribute(attributes, name) for attributes in chosen) for name in ("tests", "failures", "errors")
    )
    return (total - failed - errors, failed, errors, total) if total > 0 else None


def _attribute(attributes: dict[str, str], name: str) -> int:
    text = attributes.get(name, "").strip()
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _from_phrases(text: str) -> Counted | None:
    sums = {"passed": 0, "failed": 0, "error": 0}
    for number, word in _PHRASE.findall(text):
        sums[word.lower().removesuffix("s")] += int(number)
    return _counted(sums["passed"], sums["failed"], sums["error"], 0)


def _counted(passed: int, failed: int, errors: int, total: int) -> Counted | None:
    total = total if total > 0 else passed + failed + errors
    return (passed, failed, errors, total) if total > 0 else None
