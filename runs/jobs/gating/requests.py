"""Verdicts that are wanted once a run has ended: their jobs, and trials that are repeated for them."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from packs.messages import reporting_mistakes, send_job
from runs.jobs.gating.checks import GateRefused, check_all_agents
from runs.jobs.trials.repeating import MAX_REPEATS, repeat_broken, repeatable
from runs.models import GateCheck, GateRequest

EXECUTE_GATE = "runs.jobs.execute_gate"
# After so many seconds the job of a request counts as lost.
LOST_SECONDS = 15


def due_requests() -> QuerySet[GateRequest]:
    """Requests whose run has ended, and ended anew since the gate was asked last."""
    answered = GateCheck.objects.filter(
        run=OuterRef("run"), gate=OuterRef("gate"), run_ended_at=OuterRef("run__finished_at")
    )
    rows: QuerySet[GateRequest] = GateRequest.objects.kept().filter(
        ~Exists(answered), run__finished_at__isnull=False, trouble=""
    )
    return rows


def send_due_gates() -> None:
    """Send the jobs of due requests, again where one got lost."""
    now = timezone.now()
    silent = Q(touched_at__isnull=True) | Q(touched_at__lt=now - timedelta(seconds=LOST_SECONDS))
    for pk in due_requests().filter(silent).values_list("pk", flat=True):
        if GateRequest.objects.filter(silent, pk=pk).update(touched_at=now):
            send_job(EXECUTE_GATE, pk)


def answer_request(pk: int) -> None:
    """Repeat trials with infrastructure errors, else check the gate; a request that cannot be answered says why."""
    row = due_requests().select_related("run__version__pack", "baseline__version", "created_by").filter(pk=pk).first()
    if row is None or repeat_errors(row):
        return

    def fail(message: str) -> None:
        GateRequest.objects.filter(pk=pk).update(trouble=message)

    with reporting_mistakes("gate-broke", fail, request=pk):
        try:
            with transaction.atomic():
                list(check_all_agents(row.run, row.gate, row.baseline, row.created_by))
        except GateRefused as refused:
            fail(refused.message)


def repeat_errors(row: GateRequest) -> bool:
    """Let trials with infrastructure errors wait again, up to two times. False when there is nothing to repeat."""
    if row.repeats >= MAX_REPEATS or not repeatable(row.run):
        return False
    if not GateRequest.objects.filter(pk=row.pk, repeats=row.repeats).update(repeats=row.repeats + 1):
        return True
    return repeat_broken(row.run, row.created_by) > 0
