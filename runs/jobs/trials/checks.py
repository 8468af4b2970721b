"""Trying one check of a draft on a sample answer, at once, by the grader of a run: where words are enough."""

from dataclasses import replace
from typing import Any

from django.db.models import QuerySet

from packs.editing.pointers import replaced, value_at
from packs.editing.values import ABSENT
from packs.formats.document import Document, NodeKind, Pack
from packs.formats.findings import from_pointer
from packs.formats.schema.kinds import Purpose, kind_of, offered
from packs.formats.structure.model import schema_at
from packs.formats.task import Scoring, Task
from packs.mirror import format_of, obstacles_to, read_alone
from packs.models import Case
from packs.models import Pack as PackRow
from runs.engine.given import grade_given
from runs.grading.graders import MODELS
from runs.jobs.trials.means import Means
from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.jobs.trials.tryouts import MAX_OUTPUT, Reader, needs_worker

# What checks need that an answer alone is not.
NEEDED = {
    Purpose.COMMAND: "a sandbox in which its command runs",
    Purpose.FILE: "the files that an agent leaves",
    Purpose.TOOL: "the tool calls of a trial",
    Purpose.MEASURE: "the record of a trial",
    Purpose.JUDGE: "a model",
    Purpose.PERSON: "a person",
}


class CheckNotTried(Exception):
    """A check that cannot be tried here and now; the message says why."""


def sample_case(row: Any) -> Case | None:
    """The case on which a check that stands in a node is tried: the node itself, else the first that it holds for."""
    cases: QuerySet[Case] = Case.objects.select_related("pack__team", "input_set").order_by(
        "input_set__position", "position", "pk"
    )
    if row.kind is NodeKind.CASE:
        return cases.get(pk=row.pk)
    if isinstance(row, PackRow):
        return cases.filter(pack=row).first()
    cases = cases.filter(pack=row.pack)
    if row.kind is NodeKind.INPUT_SET:
        return cases.filter(input_set=row.pk).first()
    return cases.filter(challenge_key=row.key).first() if row.kind is NodeKind.CHALLENGE else None


def try_check(row: Any, pointer: str, answer: str) -> dict[str, Any]:
    """The grade that a check gives an answer, as scorecards hold it. `pointer` leads to the check in its node.

    `row` is any row of a node. Raises CheckNotTried.
    """
    steps = from_pointer(pointer)
    check = value_at(row.document, steps)
    pack_row = row if isinstance(row, PackRow) else row.pack
    schema = schema_at(format_of(pack_row).SCHEMA[row.kind], row.document, pointer)
    is_listed = not steps or isinstance(value_at(row.document, steps[:-1]), list)
    if check is ABSENT or not is_listed or not offered(schema):
        raise CheckNotTried("The check has gone.")
    said = kind_of(schema, check)
    if said and said["purpose"] in NEEDED:
        raise CheckNotTried(f"This check needs {NEEDED[said['purpose']]}; a run has it.")
    if len(answer) > MAX_OUTPUT:
        raise CheckNotTried(f"An answer can have at most {MAX_OUTPUT:,} characters.")
    case = sample_case(row)
    if case is None:
        raise CheckNotTried("There is no case to try it on yet.")
    return _graded(case, _task(case, row.kind, steps, check), answer)


def _task(case: Case, kind: NodeKind, steps: tuple[str, ...], check: Any) -> Task:
    """The task of a case with no other grader than that of a check. Raises CheckNotTried."""
    obstacle = next((finding for _, finding in obstacles_to(case)), None)
    if obstacle is not None:
        raise CheckNotTried(f"Fix the errors of the case and its pack first: {obstacle.message}")
    pack = read_alone(case)
    if steps:
        pack = _alone(pack, kind, steps[:-1], [check])
    task = next(iter(format_of(case.pack).compile_tasks(pack)), None)
    if task is None or not task.graders:
        raise CheckNotTried("A run does not use this check.")
    # What all cases share follows on what a case has of its own.
    grader = task.graders[0 if kind is NodeKind.CASE else -1]
    environment = replace(task.environment, captures=())
    alone = replace(task, graders=(grader,), judges=(), scoring=Scoring(), security=None, conversation=None)
    alone = replace(alone, environment=environment)
    if needs_worker(alone, ()) or grader.kind in MODELS:
        raise CheckNotTried("This check needs a model, a sandbox or files; a run has them.")
    return alone


def _alone(pack: Pack, kind: NodeKind, steps: tuple[str, ...], checks: list[Any]) -> Pack:
    """The pack of one case whose list at `steps` of one kind of node holds these checks."""

    def changed(document: Document) -> Document:
        found: Document = replaced(document, steps, checks)
        return found

    [input_set] = pack.input_sets
    if kind is NodeKind.PACK:
        return replace(pack, document=changed(pack.document))
    if kind is NodeKind.CHALLENGE:
        return replace(pack, challenges=tuple(replace(one, document=changed(one.document)) for one in pack.challenges))
    if kind is NodeKind.INPUT_SET:
        return replace(pack, input_sets=(replace(input_set, document=changed(input_set.document)),))
    cases = tuple(replace(one, document=changed(one.document)) for one in input_set.cases)
    return replace(pack, input_sets=(replace(input_set, cases=cases),))


def _graded(case: Case, task: Task, answer: str) -> dict[str, Any]:
    redactor = Means.of(case.pack.team).redactor
    outcome = grade_given(task, answer, (), chosen_sandbox(), Reader(case), redactor=redactor)
    details = outcome.scorecard.get("validator_details") or []
    if not details:
        raise CheckNotTried(outcome.error or "A run does not use this check.")
    found: dict[str, Any] = details[0]
    return found
