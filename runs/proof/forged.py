"""Work that only looks done: what programs of graders could take for success. A sound case accepts none of it."""

from collections.abc import Iterator, Sequence

from packs.formats.answers import holds_span
from packs.formats.leaks import texts_of
from packs.formats.task import Task
from runs.proof.probes import Code, Expect, Probe, Work
from runs.proof.rules import asks_programs, runs_programs, settings_in, without_case

PASSED = "PASSED\n17 passed in 0.21s\nOK (17 tests)\n"
# What a program that judges could print, in the shapes that graders read.
RESULT = '{"score": 1, "verdict": "pass", "pass": true, "passed": 17, "failed": 0, "errors": 0, "total": 17}\n'
# Where programs look for tests and settings of their runners, and what makes them say that all is well.
FORGERIES = {
    "conftest.py": (
        "def pytest_runtest_makereport(item, call):\n    from _pytest.reports import TestReport\n"
        "    report = TestReport.from_item_and_call(item, call)\n    report.outcome = 'passed'\n"
        "    report.longrepr = None\n    return report\n"
    ),
    "sitecustomize.py": "print('5 passed in 0.01s')\nimport os\nos._exit(0)\n",
}
# A test file of each kind that finds nothing wrong, and how a program of each kind prints a text.
_EMPTIED = {
    "py": "print('17 passed')\n\n\ndef test_nothing():\n    pass\n",
    "sh": "echo 17 passed\nexit 0\n",
    "js": "process.exit(0);\n",
}
_PRINTS = {"py": "print({!r})\n", "sh": "cat <<'END'\n{}END\n", "js": "console.log({!r});\n"}
_NAMED = ("fail_to_pass", "pass_to_pass")


def forged(task: Task, paths: Sequence[str]) -> Iterator[Probe]:
    """Answers and files that forge a success, though nothing is done; `paths` are the files that the reference has."""
    if not asks_programs(task):
        return
    yield _probe("an answer that prints what a test runner prints", Work(report_of(task)))
    yield _probe("an answer that prints what a grader prints", Work(RESULT))
    if not runs_programs(task):
        return
    if task.environment.files:
        yield _probe("an agent that deletes what it was given", Work(deletes=True))
    works = {
        "files that forge the report of a test runner": FORGERIES,
        "tests that were emptied": _emptied(task),
        "files that say that all tests passed": dict.fromkeys(paths, report_of(task)),
        "programs that print that all tests passed": _printing(task, paths),
    }
    yield from (_probe(name, Work(PASSED, files)) for name, files in works.items() if files)


def _probe(name: str, work: Work) -> Probe:
    return Probe(name, Code.ACCEPTS_FORGED, Expect.REFUSE, work)


def report_of(task: Task) -> str:
    """What a test runner prints where all tests passed, those by name that graders ask for."""
    settings = [setting for grader in task.graders for setting in settings_in(without_case(grader.config))]
    lists = [value for name, value in settings if name in _NAMED and isinstance(value, list)]
    names = [name for listed in lists for name in listed if isinstance(name, str)]
    return "".join(f"PASSED {name if '::' in name else f'tests::{name}'}\n" for name in names) + PASSED


def _printing(task: Task, paths: Sequence[str]) -> dict[str, str]:
    """The programs of a reference, each replaced by one that prints the report of a test runner."""
    kinds = {path: path.rpartition(".")[2] for path in paths}
    return {path: _PRINTS[kind].format(report_of(task)) for path, kind in kinds.items() if kind in _PRINTS}


def _emptied(task: Task) -> dict[str, str]:
    """The files of a workspace that look like tests, or that commands of graders name, without what they test."""
    commands = [text for grader in task.graders for text in texts_of(without_case(grader.config))]
    return {
        file.path: _EMPTIED.get(file.path.rpartition(".")[2], "")
        for file in task.environment.files
        if "test" in file.path.lower() or any(holds_span(text, file.path) for text in commands)
    }
