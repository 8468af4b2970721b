"""What pytest itself writes of the tests that it ran: a file for each command of a grader that may start it.

Programs that are tested share their output with their tests, so a printed "5 passed" can be theirs; and one that ends
the process early, with exit code 0, leaves no report behind.
"""

import re
import shlex
import xml.parsers.expat
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile, groupby, pairwise
from typing import Any

# The variable that holds where reports go; the number of the command comes after it.
VARIABLE = "PACKWRIGHT_REPORT"
MAX_REPORT = 16 * 1024 * 1024
CUT_SHORT = "pytest did not come to its end"
PASSED, FAILED, ERROR, SKIPPED = "passed", "failed", "error", "skipped"
_STATES = {"failure": FAILED, "error": ERROR, "skipped": SKIPPED}
_NAMES = ("pytest", "py.test")
# Programs that start the one that they are told.
_STARTERS = re.compile(r"env|exec|hatch|nice|pdm|pipenv|poetry|rye|time|timeout|uv|uvx|xvfb-run")
_OF_MODULES = re.compile(r"(?:coverage|py|python)[\d.]*")
_ASSIGNMENT = re.compile(r"\w+=")
# Sessions without tests, with a report of their own, or whose end the author wants to be of no account.
_APART = ("||", "junit", "PYTEST_ADDOPTS", "env -i", "--collect-only", "--version", "--help", "--fixtures", "--markers")


def asking(index: int) -> str:
    """A line of a shell that has pytest write the report of command number `index`."""
    options = f"-o junit_family=xunit1 '--junitxml=${VARIABLE}.{index}'"
    return f'export PYTEST_ADDOPTS="$PYTEST_ADDOPTS {options}"'


def is_awaited(text: str) -> bool:
    """Whether a shell's line starts pytest in a way that ends with a report."""
    return not any(sign in text for sign in _APART) and any(map(_starts_pytest, _commands(text)))


def _commands(text: str) -> Iterator[list[str]]:
    """The words of each command of a shell's line; none where its quotes do not close."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";&|()\n")
    lexer.whitespace, lexer.whitespace_split = " \t\r", True
    try:
        tokens = list(lexer)
    except ValueError:
        return
    for is_between, words in groupby(tokens, lambda token: not token.strip(";&|()\n")):
        if not is_between:
            yield list(words)


def _starts_pytest(words: Sequence[str]) -> bool:
    names = [word.rpartition("/")[2] for word in dropwhile(_ASSIGNMENT.match, words)]
    if not names or names[0] in _NAMES:
        return bool(names)
    is_module = any(pair == ("-m", "pytest") for pair in pairwise(names))
    is_direct = bool(_STARTERS.fullmatch(names[0])) and any(name in _NAMES for name in names)
    return is_direct or (is_module and any(map(_OF_MODULES.fullmatch, names)))


@dataclass(slots=True)
class Report:
    """The tests of one session by their node ids, with their states."""

    tests: dict[str, str] = field(default_factory=dict)
    current: str = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "testcase":
            self.current = node_id(attributes)
            self.tests.setdefault(self.current, PASSED)
        elif name in _STATES and self.current:
            self.tests[self.current] = _STATES[name]

    def counted(self, state: str) -> int:
        return sum(found == state for found in self.tests.values())

    def as_dict(self, wanted: Collection[str]) -> dict[str, Any]:
        """What is recorded of it: counts, and the tests that are wanted."""
        counts = {state: self.counted(state) for state in (PASSED, FAILED, ERROR, SKIPPED)}
        return {**counts, "tests": [[test, state] for test, state in self.tests.items() if test in wanted]}


def read_report(content: bytes) -> Report | None:
    """The report in a file; None for what is none."""
    report = Report()
    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler, parser.EntityDeclHandler = report.start, _refuse_entities
    try:
        parser.Parse(content, True)
    except (xml.parsers.expat.ExpatError, ValueError):
        return None
    return report


def _refuse_entities(*details: Any) -> None:
    raise ValueError("entities are not read")


def node_id(attributes: Mapping[str, str]) -> str:
    """The node id of a test: its file, its classes and its name."""
    file, classes, name = (attributes.get(part, "") for part in ("file", "classname", "name"))
    module = file.removesuffix(".py").replace("/", ".")
    inner = classes.removeprefix(module).strip(".").split(".") if classes != module else []
    return "::".join([file, *filter(None, inner), name])


def reports_in(payload: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What was recorded of reports, one for each command; empty for trials of before there were any."""
    reported = payload.get("reports")
    return [item for item in reported if isinstance(item, Mapping)] if isinstance(reported, list) else []


def is_cut_short(report: Mapping[str, Any]) -> bool:
    """Whether a session began that never came to its end."""
    return bool(report.get("awaited")) and not report.get("written")


def doubt(report: Mapping[str, Any]) -> str:
    """Why a command that ended with code 0 is not believed; empty where it is."""
    if is_cut_short(report):
        return CUT_SHORT
    if not report.get("awaited"):
        return ""
    if not any(report.get(state) for state in (PASSED, FAILED, ERROR, SKIPPED)):
        return "pytest ran no tests"
    reported = [f"{report[state]} {state}" for state in (FAILED, ERROR) if report.get(state)]
    return f"ended with code 0, although pytest reports {' and '.join(reported)}" if reported else ""


def tests_in(reports: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """The tests that reports tell of, with their states."""
    for report in reports:
        yield from ((str(test), str(state)) for test, state in report.get("tests") or ())
