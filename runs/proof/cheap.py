"""Answers that cost an agent nothing. A sound case accepts none of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import orjson

from packs.formats.offering import alternatives
from packs.formats.task import Task
from runs.proof.forged import forged
from runs.proof.probes import Code, Expect, Probe, Work, refused
from runs.proof.rules import looks_at_answer, values_beside, works_on_files
from runs.proof.shapes import NUMBER, Shape, parsed, same, shape_of

REFUSALS = ("I do not know.", "I don't know")
# How many answers of other cases are tried, each by itself, and how many stand in one answer together.
MOST_OTHERS, MOST_TOGETHER = 3, 12
# How many of the inputs of a case are said back, each by itself.
MOST_INPUTS = 4
# Shapes of which several fit into one answer: who lists all of them knows none.
LISTED = frozenset({Shape.NUMBER, Shape.LABEL, Shape.SHORT})


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another case that asks in the same way: its key, its gold answer, and the mark of what its graders look for."""

    key: str
    reference: str
    graders: str


def cheap_answers(task: Task, gold: Work | None, graders: str, others: Sequence[Neighbour]) -> Iterator[Probe]:
    """Probes with answers that nobody worked for; `gold` is the reference, `graders` the mark of the case as in
    `Neighbour`."""
    # Where nobody looks at the answer in words, all of these are an agent that does nothing.
    if looks_at_answer(task) or not works_on_files(task):
        yield from _cheap_words(task, (gold.text or None) if gold else None, graders, others)
    if works_on_files(task):
        yield Probe("an agent that does nothing", Code.ACCEPTS_NOTHING_DONE, Expect.REFUSE, Work("Done."))
        empty = {capture.path: "" for capture in task.environment.captures if capture.kind == "file_capture"}
        if empty:
            yield Probe("empty files", Code.ACCEPTS_NOTHING_DONE, Expect.REFUSE, Work("Done.", empty))
    yield from forged(task, tuple(gold.files) if gold else ())


def _cheap_words(task: Task, reference: str | None, graders: str, others: Sequence[Neighbour]) -> Iterator[Probe]:
    yield refused("an empty answer", Code.ACCEPTS_EMPTY, "")
    yield from (refused("an answer that says that it does not know", Code.ACCEPTS_REFUSAL, text) for text in REFUSALS)
    yield from _echoes(task, reference)
    known = [other for other in others if reference is None or not same(other.reference, reference)]
    yield from _of_others(known, graders)
    if reference is not None:
        yield from _all_at_once(task, reference, known)
    yield from (refused("the words of a rubric", Code.ACCEPTS_RUBRIC, text) for text in rubrics_of(task))


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
    wrong = [text for text in choices_of(task, reference) if not same(text, reference)]
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


def choices_of(task: Task, reference: str = "") -> list[str]:
    """What a case gives to choose from: labels where its graders take them, else the texts, else those among which its
    question offers the right answer."""
    for grader in task.graders:
        choices = (grader.config or {}).get("choices")
        if isinstance(choices, list) and choices:
            return [chr(ord("A") + index) for index in range(min(len(choices), 26))]
    choices = task.visible.get("choices")
    if isinstance(choices, list) and choices:
        return [text for text in choices if isinstance(text, str)]
    return alternatives(task.question or task.prompt, reference) if reference else []


def other_choices(task: Task, reference: str) -> Iterator[Probe]:
    """Each of the first few choices that is not the right one."""
    several = any(_has_several((grader.config or {}).get("answer")) for grader in task.graders)
    wrong = [] if several else [text for text in choices_of(task, reference) if not same(text, reference)]
    for text in wrong[:MOST_OTHERS]:
        yield refused("another of the choices", Code.ACCEPTS_MUTANT, text, counts=True)


def other_values(task: Task, reference: str) -> Iterator[Probe]:
    """JSON with another of the values that a schema of the graders allows in a place."""
    value = parsed(reference)
    for key, part in value.items() if isinstance(value, dict) else ():
        others = values_beside(task, part) if isinstance(part, str | int) else []
        for other in others[:1]:
            text = orjson.dumps({**value, key: other}).decode()
            yield refused(f"another of the values of `{key}`", Code.ACCEPTS_MUTANT, text, counts=True)


def _has_several(answer: Any) -> bool:
    return isinstance(answer, list) and len(answer) > 1


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
