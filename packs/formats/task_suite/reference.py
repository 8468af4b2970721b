"""What an agent is shown of a task, and the answer that it must not read there (task-suite 2.5)."""

from collections.abc import Iterator

from packs.formats.document import Document
from packs.formats.task import Answer
from packs.formats.values import mapping

# What an agent may see of the inputs, in the order of telling; everything else is for graders.
SHOWN = (
    "repo_path",
    "issue_statement",
    "user_message",
    "conversation_context",
    "constraints",
    "policy",
    "tools_available",
)


def shown_of(document: Document) -> Document:
    """The inputs of a task that its agent sees."""
    inputs = mapping(document.get("inputs"))
    return {name: inputs[name] for name in SHOWN if name in inputs}


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
