"""A gold answer that the agent can read in its own task."""

from collections.abc import Iterator

from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.leaks import CONTEXT, leaks_in
from packs.formats.task_suite.reference import answers_of, shown_of

ANSWER_SHOWN = Rule(
    "task_suite.N222",
    "The reference solution {answer} stands in what the agent sees ({form}).",
    hint="This is fine if the agent is meant to find it there; otherwise the task gives its answer away.",
)
LEFT_OUT = 60


def check_leaks(document: Document) -> Iterator[Finding]:
    """The reference solution of one task, where an input that the agent sees holds it."""
    for leak in leaks_in(answers_of(document), lambda _: [(CONTEXT, shown_of(document))]):
        yield ANSWER_SHOWN.at(leak.answer.path, answer=repr(leak.answer.text[:LEFT_OUT]), form=leak.form)
