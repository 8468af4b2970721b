"""What a trial was asked, what it answered, what was expected, and the words of the answer that graders judged."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from packs.formats.patterns import Pattern, compile_pattern
from packs.formats.task import Task
from runs.jobs.trials.loading import tasks_of
from runs.models import Trial
from runs.views.trials.payloads import Shown, show

# Texts in quotes in what a grader says: the words that it means.
QUOTED = re.compile(r"""(?<!\w)(['"])(.{2,400}?)\1(?!\w)|[“‘](.{2,400}?)[”’]""", re.DOTALL)
# Words that one grader marks, and graders whose words are marked.
MAX_WORDS, MAX_GRADERS = 12, 40


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of an answer; `status` and `grader` say which grader judged it how, and are empty where none did."""

    text: str
    status: str = ""
    grader: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What a trial was asked, with the files that its workspace began with, and the gold answer."""

    asked: Shown
    prompt: Shown
    files: Sequence[str]
    expected: Shown | None

    @property
    def has_frame(self) -> bool:
        """Whether the prompt says more than this case asks."""
        return self.prompt.size > self.asked.size


def question_of(trial: Trial) -> Question:
    """What the case of a trial asks and expects."""
    [task] = tasks_of(trial.run, [trial]).values()
    files = [file.path for file in task.environment.files]
    return Question(show(task.question or task.prompt), show(task.prompt), files, _expected(task))


def _expected(task: Task) -> Shown | None:
    return show(task.reference) if task.reference else None


def segments_of(answer: Shown, grades: Iterable[Mapping[str, Any]]) -> list[Segment]:
    """An answer in pieces, those marked that graders say they judged; of words that overlap the first are marked."""
    spans: list[tuple[int, int, str, str]] = []
    for grade in list(grades)[:MAX_GRADERS]:
        for words in list(dict.fromkeys(judged_words(answer.text, grade)))[:MAX_WORDS]:
            start = answer.text.find(words)
            end = start + len(words)
            if words.strip() and start >= 0 and all(end <= first or last <= start for first, last, *_ in spans):
                spans.append((start, end, grade["status"], grade["key"]))
    pieces, at = [], 0
    for start, end, status, key in sorted(spans):
        pieces += [Segment(answer.text[at:start]), Segment(answer.text[start:end], status, key)]
        at = end
    return [piece for piece in (*pieces, Segment(answer.text[at:])) if piece.text]


def judged_words(answer: str, grade: Mapping[str, Any]) -> Iterator[str]:
    """Texts of an answer that a grade is about: those that it found, looked at, or quotes."""
    evidence = grade.get("evidence", {})
    expected, actual = evidence.get("expected"), evidence.get("actual")
    if grade["type"] == "regex_match" and isinstance(expected, str):
        pattern = compile_pattern(expected)
        yield (pattern.first_in(answer) if isinstance(pattern, Pattern) else None) or ""
    if isinstance(actual, str) and actual != answer:
        yield actual
    if isinstance(expected, str):
        yield expected
    for text in _reported(grade, evidence):
        for _, straight, curly in QUOTED.findall(text):
            yield _as_written(answer, straight or curly)


def _reported(grade: Mapping[str, Any], evidence: Mapping[str, Any]) -> Iterator[str]:
    """What a grade says in words: its reason, and the checks that it is made of."""
    yield grade.get("reason", "")
    for check in (*grade.get("checks", ()), *evidence.get("checks", ())):
        for name in ("text", "name"):
            yield str(check.get(name) or "")
        shown = check.get("evidence")
        yield shown if isinstance(shown, str) else ""


def _as_written(answer: str, words: str) -> str:
    """How the words stand in an answer, whatever their case."""
    found = re.search(re.escape(words), answer, re.IGNORECASE)
    return found.group() if found else ""
