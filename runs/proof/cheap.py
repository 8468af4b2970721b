"""Answers that cost an agent nothing. A sound case accepts none of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from packs.formats.task import EXECUTING, Task
from runs.proof.probes import Code, Expect, Probe, Work, refused
from runs.proof.shapes import NUMBER, Shape, same, shape_of

REFUSALS = ("I do not know.", "I don't know")
# How many answers of other cases are tried, each by itself, and how many stand in one answer together.
MOST_OTHERS, MOST_TOGETHER = 3, 12
# How many of the inputs of a case are said back, each by itself.
MOST_INPUTS = 4
# Shapes of which several fit into one answer: who lists all of them knows none.
LISTED = frozenset({Shape.NUMBER, Shape.LABEL, Shape.SHORT})
PASSED = "PASSED\n5 passed in 0.01s\nOK (5 tests)\n"
# Where programs look for tests and settings of their runners, and what makes them say that all is well.
FORGERIES = {
    "conftest.py": (
        "def pytest_runtest_makereport(item, call):\n    from _pytest.reports import TestReport\n"
        "    report = TestReport.from_item_and_call(item, call)\n    report.outcome = 'passed'\n"
        "    report.longrepr = None\n    return report\n"
    ),
    "sitecustomize.py": "print('5 passed in 0.01s')\nimport os\nos._exit(0)\n",
}
# A test file of each kind that finds nothing wrong.
_EMPTIED = {"py": "def test_nothing():\n    pass\n", "sh": "exit 0\n", "js": "process.exit(0);\n"}


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another case that asks in the same way: its key, its gold answer, and the mark of what its graders look for."""

    key: str
    reference: str
    graders: str


def cheap_answers(task: Task, reference: str | None, graders: str, others: Sequence[Neighbour]) -> Iterator[Probe]:
    """Probes with answers that nobody worked for; `graders` is the mark of the case as in `Neighbour`."""
    yield refused("an empty answer", Code.ACCEPTS_EMPTY, "")
    yield from (refused("an answer that says that it does not know", Code.ACCEPTS_REFUSAL, text) for text in REFUSALS)
    yield from _echoes(task, reference)
    known = [other for other in others if reference is None or not same(other.reference, reference)]
    yield from _of_others(known, graders)
    if reference is not None:
        yield from _all_at_once(task, reference, known)
    yield from (refused("the words of a rubric", Code.ACCEPTS_RUBRIC, text) for text in rubrics_of(task))
    if works_on_files(task):
        yield Probe("an agent that does nothing", Code.ACCEPTS_NOTHING_DONE, Expect.REFUSE, Work("Done."))
        empty = {capture.path: "" for capture in task.environment.captures if capture.kind == "file_capture"}
        if empty:
            yield Probe("empty files", Code.ACCEPTS_NOTHING_DONE, Expect.REFUSE, Work("Done.", empty))
    if runs_programs(task):
        yield from _forged(task)


def _forged(task: Task) -> Iterator[Probe]:
    """What programs of graders could take for success, though nothing is done."""
    yield refused("an answer that prints what a test runner prints", Code.ACCEPTS_FORGED, PASSED)
    if task.environment.files:
        yield Probe("an agent that deletes what it was given", Code.ACCEPTS_FORGED, Expect.REFUSE, Work(deletes=True))
    works = {"files that forge the report of a test runner": FORGERIES, "tests that were emptied": _emptied(task)}
    for name, files in works.items():
        if files:
            yield Probe(name, Code.ACCEPTS_FORGED, Expect.REFUSE, Work(PASSED, files))


def _emptied(task: Task) -> dict[str, str]:
    """The files of a workspace that look like tests, without what they test."""
    tests = [file.path for file in task.environment.files if "test" in file.path.lower()]
    return {path: _EMPTIED.get(path.rpartition(".")[2], "") for path in tests}


def works_on_files(task: Task) -> bool:
    """Whether an agent is to leave something in a workspace."""
    has_workspace = bool(task.environment.files or task.environment.captures or runs_programs(task))
    return has_workspace and task.environment.mode != "prompt_eval"


def runs_programs(task: Task) -> bool:
    """Whether graders have programs run over what an agent left."""
    return any(grader.kind in EXECUTING for grader in task.graders)


def _echoes(task: Task, reference: str | None) -> Iterator[Probe]:
    inputs = islice(_values(task.visible), MOST_INPUTS)
    asked = [text for text in (task.prompt, task.question, *inputs) if text.strip()]
    for text in dict.fromkeys(asked):
        if reference is None or not same(text, reference):
            yield refused("what was asked, said back", Code.ACCEPTS_ECHO, text)


def _values(value: Any) -> Iterator[str]:
    """The inputs of a case that are texts; answers to choose from come all at once, not one by one."""
    if isinstance(value, dict):
        for part in value.values():
            if isinstance(part, str):
                yield part
            elif isinstance(part, dict):
                yield from _values(part)


def _of_others(others: Sequence[Neighbour], graders: str) -> Iterator[Probe]:
    """Answers of cases that look for something else."""
    for other in [other for other in others if other.graders != graders][:MOST_OTHERS]:
        yield refused(f"the answer of the case `{other.key}`", Code.ACCEPTS_OTHER_CASE, other.reference)


def _all_at_once(task: Task, reference: str, others: Sequence[Neighbour]) -> Iterator[Probe]:
    if shape_of(reference) not in LISTED:
        return
    wrong = [text for text in choices_of(task) if not same(text, reference)]
    if not wrong:
        wrong = [other.reference for other in others if shape_of(other.reference) in LISTED]
    if not wrong and NUMBER.fullmatch(reference.strip()) and "." not in reference:
        value = int(reference)
        wrong = [str(value - 1), str(value + 1)]
    wrong = list(dict.fromkeys(wrong))[:MOST_TOGETHER]
    if wrong:
        name = "all answers at once"
        yield refused(f"{name}, the right one first", Code.ACCEPTS_EVERYTHING, ", ".join((reference, *wrong)))
        yield refused(f"{name}, the right one last", Code.ACCEPTS_EVERYTHING, ", ".join((*wrong, reference)))


def choices_of(task: Task) -> list[str]:
    """What a case gives to choose from: labels where its graders take them, else the texts."""
    for grader in task.graders:
        choices = (grader.config or {}).get("choices")
        if isinstance(choices, list) and choices:
            return [chr(ord("A") + index) for index in range(min(len(choices), 26))]
    choices = task.visible.get("choices")
    return [text for text in choices if isinstance(text, str)] if isinstance(choices, list) else []


def rubrics_of(task: Task) -> list[str]:
    """What judges and rubrics of a case look for, in their own words."""
    found = [judge.text for judge in task.judges if judge.text]
    for grader in task.graders:
        rubric = (grader.config or {}).get("rubric")
        if isinstance(rubric, str):
            found.append(rubric)
        elif grader.kind == "free_response" and isinstance(rubric, dict):
            found += [" ".join(_texts(rubric))]
    return [text for text in dict.fromkeys(found) if text.strip()]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(part)
