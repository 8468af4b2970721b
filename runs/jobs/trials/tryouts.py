"""Trying an answer on a case of a draft: by the graders of a run, at once where nothing has to be run for that."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from packs import blobs
from packs.formats.characters import storable
from packs.formats.task import EXECUTING, Task, WorkspaceFile
from packs.messages import reporting_mistakes, send_job
from packs.mirror import format_of, obstacles_to, read_alone
from packs.models import Asset, Case, PackFile
from runs.agents.endpoints.contract import Endpoint
from runs.engine.events import Event
from runs.engine.given import grade_given
from runs.engine.outcome import Outcome
from runs.grading.graders import MODELS, NEEDS
from runs.grading.graders.evidence import is_of_judges
from runs.grading.judges import RANKING, Bench
from runs.grading.scoring.results import JudgeResult
from runs.jobs.queue.messages import EXECUTE_TRYOUT
from runs.jobs.trials.judges import MOST_AT_ONCE
from runs.jobs.trials.means import Means
from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.models.answering import endpoints_for
from runs.models.clerk import close_connection
from runs.models.spending import charged
from runs.models.tryouts import OPEN_TRYOUT, Tryout, TryoutStatus
from runs.quotas import heed_money

MAX_OUTPUT = 1_000_000
MAX_FILES = 50
# How many answers are kept for a case, and how many of one user may wait for a worker.
KEPT = 20
MOST_OPEN = 5
# After so many seconds a message counts as lost, and after so many a worker that judges.
LOST_SECONDS = 15
LONGEST_SECONDS = 1800
# Why a judge has no score, in the member `problem` of its payload: nobody wanted it to be asked.
NOT_ASKED = "not_asked"


class TryoutRefused(Exception):
    """An answer that cannot be tried. `code` is stable: unusable_case, unknown_judge, too_long, too_many."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True, slots=True)
class Given:
    """What is handed in: an answer, the files that an agent would have left, and the keys of judges to be asked."""

    output: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    judges: Sequence[str] = ()


def task_of(case: Case) -> Task | None:
    """The task of a case as the draft is now; None where errors keep it from being compiled."""
    if obstacles_to(case):
        return None
    return next(iter(format_of(case.pack).compile_tasks(read_alone(case))), None)


def works_on_files(task: Task) -> bool:
    """Whether graders look at files: what is handed in then has a workspace."""
    kinds = {grader.kind for grader in task.graders}
    return bool(task.environment.captures) or bool(kinds & ((EXECUTING - {"code_completion"}) | NEEDS.keys()))


def askable(task: Task) -> dict[str, tuple[str, ...]]:
    """The judges that can be asked about one answer, and graders that ask models, with the models that each names.

    A ranking compares several answers.
    """
    asking = {grader.key: MODELS[grader.kind](grader) for grader in task.graders if grader.kind in MODELS}
    judges = {judge.key: judge.models for judge in task.judges if judge.mode != RANKING}
    return {**{key: models for key, models in asking.items() if models}, **judges}


def needs_worker(task: Task, judges: Sequence[str]) -> bool:
    """Whether judging takes a program or a model, so that no request may wait for it."""
    slow = EXECUTING | NEEDS.keys()
    return bool(judges) or works_on_files(task) or any(grader.kind in slow for grader in task.graders)


def try_answer(user: User, case: Case, given: Given) -> Tryout:
    """Judge an answer, or have a worker do so.

    Raises TryoutRefused; QuotaReached where judges are to be asked and the team may not spend more.
    """
    task = task_of(case)
    if task is None:
        raise TryoutRefused("unusable_case", "Errors keep this case from being run; fix them first.")
    check_given(user, task, given)
    if given.judges:
        heed_money(case.pack.team)
    with transaction.atomic():
        row = Tryout.objects.create(
            pack=case.pack,
            node=case.pk,
            case_key=case.key,
            revision=case.pack.revision,
            output=storable(given.output),
            files=dict(given.files) or None,
            judges=list(given.judges),
            created_by=user,
        )
        forget_old(case)
        if needs_worker(task, given.judges):
            transaction.on_commit(lambda: send_job(EXECUTE_TRYOUT, row.pk))
            return row
    judge_now(row, case, task)
    return row


def check_given(user: User, task: Task, given: Given) -> None:
    """Raises TryoutRefused."""
    if len(given.output) + sum(map(len, given.files.values())) > MAX_OUTPUT or len(given.files) > MAX_FILES:
        limits = f"{MAX_OUTPUT:,} characters and {MAX_FILES} files"
        raise TryoutRefused("too_long", f"An answer can have at most {limits}.")
    unknown = sorted(set(given.judges) - askable(task).keys())
    if unknown:
        raise TryoutRefused("unknown_judge", f"The case has no judge {unknown[0]!r} that can be asked.")
    if Tryout.objects.filter(created_by=user, status__in=OPEN_TRYOUT).count() >= MOST_OPEN:
        raise TryoutRefused("too_many", f"{MOST_OPEN} answers of yours wait for a worker already.")


def forget_old(case: Case) -> None:
    """Keep the latest answers of a case."""
    rows = Tryout.objects.filter(pack=case.pack, node=case.pk).order_by("-pk")
    last = rows.values_list("pk", flat=True)[KEPT - 1 : KEPT].first()
    if last is not None:
        rows.filter(pk__lt=last).delete()


def execute(row: Tryout) -> None:
    """Judge an answer that waits. A mistake of ours is noted in it; a database that is away comes through."""
    now = timezone.now()
    waiting = Tryout.objects.filter(pk=row.pk, status=TryoutStatus.QUEUED)
    if not waiting.update(status=TryoutStatus.RUNNING, touched_at=now):
        return
    case = Case.objects.filter(pk=row.node, pack=row.pack_id).select_related("pack__team", "input_set").first()
    task = None if case is None else task_of(case)
    if case is None or task is None:
        fail(row, "The case has gone, or errors keep it from being run now.")
        return
    with reporting_mistakes("tryout-broke", partial(fail, row), tryout=row.pk):
        judge_now(row, case, task)


def judge_now(row: Tryout, case: Case, task: Task) -> None:
    """Judge an answer in this process, and keep what is said of it."""
    calls: list[Event] = []

    def note(event: Event) -> None:
        if is_of_judges(event):
            calls.append(event)

    files = files_of(task, case, row.files or {})
    bench = bench_of(case, task, row.judges)
    read = Reader(case)
    redactor = Means.of(case.pack.team).redactor
    outcome = grade_given(
        task, row.output, (), chosen_sandbox(), read, files, emit=note, bench=bench, redactor=redactor
    )
    keep(row, case, outcome, calls)


def bench_of(case: Case, task: Task, judges: Sequence[str]) -> Bench:
    """How the wanted judges are asked; the others are known not to be."""
    known = {
        judge.key: JudgeResult(judge.key, judge.mode, reason="it was not asked", payload={"problem": NOT_ASKED})
        for judge in task.judges
        if judge.key not in judges and judge.mode != RANKING
    }
    threads = min(MOST_AT_ONCE, settings.TRIAL_THREADS)
    wanted = {model for key, models in askable(task).items() if key in judges for model in models}
    endpoints = charged(endpoints_for(case.pack.team, {}), case.pack.team_id)

    def endpoint_of(model: str) -> Endpoint | None:
        return endpoints(model) if model in wanted else None

    return Bench(endpoint_of, threads=threads, leave_thread=close_connection, known=known)


def files_of(task: Task, case: Case, typed: Mapping[str, str]) -> dict[str, bytes] | None:
    """What stands in the workspace: the files that the agent is given, changed by those that were typed.

    Where a task begins with files of its image, typed ones stand for these; without any the image itself is needed.
    """
    added = {path: text.encode() for path, text in typed.items()}
    if task.environment.materialize_from_image or not works_on_files(task):
        return added or None
    read = Reader(case)
    own = {
        file.path: file.text.encode() if file.text is not None else read(file) or b"" for file in task.environment.files
    }
    return own | added


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the files of a case's draft."""

    case: Case

    def __call__(self, file: WorkspaceFile) -> bytes | None:
        """The bytes of an asset or file of the draft; None while nobody has them."""
        if file.asset_key:
            rows = Asset.objects.filter(pack=self.case.pack_id, key=file.asset_key).order_by("position")
            found = rows.values_list("blob", flat=True).first()
        else:
            found = (
                PackFile.objects.filter(pack=self.case.pack_id, path=file.path).values_list("blob", flat=True).first()
            )
        return blobs.read(str(found)) if found else None


def keep(row: Tryout, case: Case, outcome: Outcome, calls: Iterable[Event]) -> None:
    row.status, row.finished_at, row.revision = TryoutStatus.COMPLETED, timezone.now(), case.pack.revision
    row.verdict, row.score, row.fault = outcome.verdict.value, outcome.score, outcome.fault.value
    row.error, row.scorecard = storable(outcome.error), outcome.scorecard
    row.calls = [{name: event[name] for name in _TOLD} for event in calls]
    row.save()


_TOLD = ("sequence_number", "event_type", "payload")


def fail(row: Tryout, error: str) -> None:
    rows = Tryout.objects.filter(pk=row.pk, status__in=OPEN_TRYOUT)
    rows.update(status=TryoutStatus.FAILED, error=storable(error), finished_at=timezone.now())


def send_lost_tryouts() -> None:
    """Send the jobs of answers again that nobody judges, and give up those whose worker has gone."""
    now = timezone.now()
    waiting = Tryout.objects.filter(status=TryoutStatus.QUEUED, touched_at__lt=now - timedelta(seconds=LOST_SECONDS))
    for pk in waiting.values_list("pk", flat=True):
        Tryout.objects.filter(pk=pk).update(touched_at=now)
        send_job(EXECUTE_TRYOUT, pk)
    limit = now - timedelta(seconds=LONGEST_SECONDS)
    for row in Tryout.objects.filter(status=TryoutStatus.RUNNING, touched_at__lt=limit):
        fail(row, "The worker that judged this answer has gone. Try it again.")
