"""People answer in conversations, or their time is over: either way the trial goes on."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from packs.formats.characters import storable
from runs.jobs.queue.leases import OPEN_RUN
from runs.jobs.queue.messages import send
from runs.models import HumanTurn, Run, Trial, TrialStatus

MAX_ANSWER = 100_000


def answer(turn: HumanTurn, user: User, text: str) -> bool:
    """Take what a person said and let the trial go on. False when the turn does not wait any more.

    Of several people who answer at once the first one counts.
    """
    now = timezone.now()
    with transaction.atomic():
        waiting = HumanTurn.objects.waiting().filter(pk=turn.pk)
        taken = HumanTurn.objects.filter(pk__in=list(waiting.values_list("pk", flat=True)), answered_at=None)
        if not taken.filter(expired_at=None).update(answered_at=now, answered_by=user, text=storable(text)):
            return False
        go_on(turn.trial_id)
    return True


def expire_turns() -> int:
    """Let trials go on whose person did not answer in time; gives how many."""
    now = timezone.now()
    ended = 0
    for turn in HumanTurn.objects.overdue(now).only("pk", "trial"):
        with transaction.atomic():
            silent = HumanTurn.objects.filter(pk=turn.pk, answered_at=None, expired_at=None)
            if silent.update(expired_at=now):
                go_on(turn.trial_id)
                ended += 1
    return ended


def go_on(trial_id: int) -> None:
    """Put a trial that waited back into the queue, and send a job for it after commit."""
    Trial.objects.filter(pk=trial_id, status=TrialStatus.WAITING).update(status=TrialStatus.QUEUED)
    run_id = Trial.objects.values_list("run", flat=True).get(pk=trial_id)
    # A paused run keeps the answer until it is resumed.
    if Run.objects.filter(pk=run_id, status__in=OPEN_RUN).exists():
        transaction.on_commit(lambda: send(run_id))
