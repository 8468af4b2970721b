"""Whether a right answer stands in what an agent can read: asked of rows while they are checked, and of whole tasks."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from packs.formats.answers import holds_span, normal
from packs.formats.task import Answer, Task, WorkspaceFile

# Shorter answers occur everywhere by chance, and so do these.
SHORTEST = 3
_TRIVIAL = frozenset({"yes", "true", "false", "none", "null", "n/a", "and", "not", "unknown"})

PROMPT, CONTEXT = "prompt", "context"


@dataclass(frozen=True, slots=True)
class Leak:
    """An answer that stands in what the agent sees; `place` is prompt, context, or the path of a file."""

    answer: Answer
    place: str


def leaks_in(answers: Iterable[Answer], places: Callable[[Answer], Iterable[tuple[str, Any]]]) -> Iterator[Leak]:
    """The answers that stand in JSON values that the agent sees; each is told once, with its first place.

    `places` gives what to look into for an answer, and is asked only where an answer could tell anything.
    """
    known: dict[int, str] = {}
    for answer in answers:
        wanted = normal(answer.text)
        if len(wanted) < SHORTEST or wanted in _TRIVIAL:
            continue
        for place, value in places(answer):
            if id(value) not in known:
                known[id(value)] = normal(" ".join(texts_of(value)))
            if holds_span(known[id(value)], wanted):
                yield Leak(answer, place)
                break


def texts_of(value: Any) -> Iterator[str]:
    """Every text inside a JSON value, in its order; names of members are none."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts_of(part)


def leaks(task: Task, read_text: Callable[[WorkspaceFile], str | None]) -> list[Leak]:
    """The answers of a task that its agent could read, in the prompt, the context or a file.

    `read_text` gives the text of a file of the pack, None where it is none or nobody has it.
    """
    # Made once, so that each text is brought into normal form once.
    files = [(file.path, file.text if file.text is not None else read_text(file) or "") for file in _files(task)]
    brought = [(file.path, text) for file, (_, text) in zip(_files(task), files, strict=True) if file.text is None]
    whole: list[tuple[str, Any]] = [(PROMPT, task.prompt), (CONTEXT, task.visible), *files]
    apart: list[tuple[str, Any]] = [(CONTEXT, without_choices(task.visible)), *brought]
    return list(leaks_in(answers_of(task), lambda answer: apart if answer.is_offered else whole))


def answers_of(task: Task) -> tuple[Answer, ...]:
    """What would give a task away: what its format says, else its gold answer, of the case as a whole."""
    if task.answers is not None:
        return task.answers
    return (Answer((), task.reference),) if task.reference else ()


def _files(task: Task) -> tuple[WorkspaceFile, ...]:
    return task.environment.files


def without_choices(visible: dict[str, Any]) -> dict[str, Any]:
    """What is shown apart from lists of texts: among those an answer may be one of several to choose from."""
    return {name: value for name, value in visible.items() if not _is_choice(value)}


def _is_choice(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(isinstance(part, str) for part in value)
