"""The answer of a trial as a probe of its case: what the agent said, left and did, kept in `proof.yaml`."""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User

from packs.formats.task import Task
from packs.models import Case
from runs.engine.events import AGENT_TYPES
from runs.grading.graders.evidence import is_of_judges
from runs.jobs.proofs import ProofRefused, state_answer
from runs.jobs.trials.tryouts import task_of
from runs.models import Event, Trial
from runs.proof.probes import Work
from runs.proof.rules import reads_events, works_on_files
from runs.results.artifacts import artifacts_of
from runs.results.corrections import draft_case_of

# What an agent did and how its conversation went; how its run began and how graders looked at it is recorded anew.
_DONE = AGENT_TYPES - {"model.output.delta"} | {
    "turn.user.message",
    "turn.assistant.message",
    "turn.completed",
    "conversation.completed",
    "system.run.completed",
}
# By-products of programs that ran, not part of an answer.
_BY_PRODUCT = "__pycache__/"


def keep_answer(trial: Trial, name: str, user: User) -> Case:
    """State the answer of a trial in `proof.yaml` as a `right` or `wrong` one; the case of the draft that has it now.

    Raises EditRefused, ProofRefused with the code no_case, files_not_kept, no_answer or answer_too_large too.
    """
    case = draft_case_of(trial)
    if case is None:
        raise ProofRefused("no_case", "The draft has no such case any more.")
    task = task_of(case)
    work = Work(trial.final_output) if task is None else work_of(trial, task)
    state_answer(case, name, work, user, f"Trial {trial.pk} of run {trial.run_id}")
    return case


def work_of(trial: Trial, task: Task) -> Work:
    """What an agent handed in, as far as graders of a task read it: its answer, the files that it left, and what it
    did. Raises ProofRefused."""
    files = dict(_left(trial)) if works_on_files(task) else {}
    events = list(_done(trial)) if reads_events(task) else []
    if not (trial.final_output or files or events):
        raise ProofRefused("no_answer", "The trial has no answer, files or events to keep.")
    return Work(trial.final_output, files, events)


def _left(trial: Trial) -> Iterator[tuple[str, str]]:
    """The new and changed files. An answer without one of them would be another answer."""
    for artifact in artifacts_of(trial):
        if artifact.state == "same" or _BY_PRODUCT in artifact.path:
            continue
        if artifact.is_removed or artifact.is_cut or artifact.text is None:
            why = f"`{artifact.path}` was removed, is not text or was not stored in full: the answer cannot be kept."
            raise ProofRefused("files_not_kept", why)
        yield artifact.path, artifact.text


def _done(trial: Trial) -> Iterator[dict[str, Any]]:
    rows = Event.objects.filter(trial=trial, event_type__in=_DONE).order_by("sequence")
    for row in rows:
        if not is_of_judges(row.as_event()):
            at = row.occurred_at.isoformat()
            yield {"event_type": row.event_type, "occurred_at": at, "payload": row.payload}
