"""What an agent is shown of a task, and the answer that it must not read there (task-suite 2.5)."""

from collections.abc import Iterator

from packs.formats.answers import Answer
from packs.formats.document import Document
from packs.formats.schema.pieces import AGENT
from packs.formats.task_suite.schema.task import INPUTS
from packs.formats.values import mapping

# The names of planted secrets are for the environment alone.
_PLANTED = "secrets_in_env"
# What an agent is told of the inputs, in the order of telling; everything else is for graders.
SHOWN = tuple(
    name for name, part in INPUTS["properties"].items() if part.get("x-audience") == AGENT and name != _PLANTED
)


def shown_of(document: Document) -> Document:
    """The inputs of a task that its agent sees."""
    inputs = mapping(document.get("inputs"))
    return {name: inputs[name] for name in SHOWN if name in inputs}


def files_of(document: Document) -> dict[str, str]:
    """The files of the gold answer, path in the workspace to text: `reference_solution.files`."""
    stated = mapping(mapping(document.get("reference_solution")).get("files"))
    return {path: text for path, text in stated.items() if isinstance(text, str)}


def answers_of(document: Document) -> Iterator[Answer]:
    """The gold answer, where the task states one as text or under `final_message` or `answer`."""
    solution = document.get("reference_solution")
    if isinstance(solution, str):
        yield Answer(("reference_solution",), solution)
        return
    stated = mapping(solution)
    for name in ("final_message", "answer"):
        if isinstance(stated.get(name), str):
            yield Answer(("reference_solution", name), stated[name])
            return
