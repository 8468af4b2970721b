"""The calls of connections, as many at a time as each allows, for all processes and hosts together.

Each call is a row in a queue. The first rows that are still alive may call, as many as the connection allows; a row
lives as long as its process comes back to it, so the call of a dead worker ends by itself. Where the endpoint tells one
call that it is asked too often, the connection rests, and nobody begins a call until that is over.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from runs.agents.endpoints.contract import EndpointFailed, Trouble
from runs.agents.endpoints.retrying import PATIENCE_SECONDS, pause_after
from runs.agents.endpoints.watch import Watch
from runs.models.clerk import by_clerk
from runs.models.connections import Connection

LEASE = timedelta(seconds=12)
RENEWAL_SECONDS = 3.0
WINDOW = timedelta(minutes=1)
PAUSE = 0.03
LONGEST_PAUSE = 0.5
# Whatever an endpoint asks for, somebody looks after this time whether it answers again.
LONGEST_REST = timedelta(minutes=10)
# Endpoints also ask for a pause with 503.
ASKS_FOR_REST = (Trouble.RATE_LIMITED, Trouble.SERVER)
MOST_REFUSALS = 30


class ConnectionCall(models.Model):
    """A call of a connection: waiting until `started_at` is set, then at work until `ended_at`."""

    connection = models.ForeignKey(Connection, models.CASCADE, related_name="calls", db_index=False)
    lease_until = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["connection", "id"])]

    def __str__(self) -> str:
        return f"call {self.pk} of connection {self.connection_id}"


@dataclass(slots=True)
class Queue:
    """The queue of a connection. `per_minute` None means that only the number at a time is limited.

    `was_refused` says whether the last answers that anybody got of the endpoint were refusals.
    """

    connection_id: int
    at_a_time: int
    per_minute: int | None = None
    was_refused: bool = False

    @by_clerk
    def enter(self) -> tuple[int, bool]:
        """Stand at the end; gives the number of the row, and whether the call may be made at once."""
        with transaction.atomic():
            rest = self._lock()
            moment = timezone.now()
            is_free = not rest and self._ahead(None) < self.at_a_time and not self._is_used_up(moment)
            row = ConnectionCall.objects.create(
                connection_id=self.connection_id, lease_until=moment + LEASE, started_at=moment if is_free else None
            )
        return row.pk, is_free

    @by_clerk
    def start(self, number: int) -> float:
        """Begin the call if its turn has come, which gives 0; else gives the seconds to wait before asking again.

        The next in line asks often, those far behind seldom. More than `LONGEST_PAUSE` is what the connection
        rests.
        """
        rest = self._rest(*Connection.objects.filter(pk=self.connection_id).values_list("rests_until", flat=True))
        if rest:
            return rest
        too_many = self._ahead(number) - self.at_a_time
        if too_many >= 0:
            return min(PAUSE * (1 + too_many), LONGEST_PAUSE)
        if self._is_used_up(timezone.now()):
            return LONGEST_PAUSE
        with transaction.atomic():
            rest = self._lock()
            moment = timezone.now()
            if rest or self._is_used_up(moment):
                return rest or LONGEST_PAUSE
            self._row(number).update(started_at=moment, lease_until=moment + LEASE)
        return 0.0

    @by_clerk
    def leave(self, number: int) -> None:
        """End the call. It is remembered as long as it counts for the rate; older rows go."""
        moment = timezone.now()
        over = Q(lease_until__lt=moment - WINDOW)
        if self.per_minute is None:
            over |= Q(pk=number)
        else:
            self._row(number).update(ended_at=moment)
        ConnectionCall.objects.filter(over, connection=self.connection_id).delete()

    @by_clerk
    def renew(self, number: int) -> None:
        """Say that the process of a call is alive."""
        self._row(number).update(lease_until=timezone.now() + LEASE)

    @by_clerk
    def rest(self, asked: float | None) -> None:
        """Let all calls of the connection wait: as long as the endpoint asked, else longer with each refusal.

        Calls that were at work together are refused together, which counts once.
        """
        with transaction.atomic():
            self._lock()
            row = Connection.objects.only("rests_until", "refusals").get(pk=self.connection_id)
            if asked is None and row.is_resting:
                return
            if asked is None:
                row.refusals = min(row.refusals + 1, MOST_REFUSALS)
            wanted = timezone.now() + min(timedelta(seconds=pause_after(row.refusals, asked)), LONGEST_REST)
            row.rests_until = max(wanted, row.rests_until or wanted)
            row.save(update_fields=["rests_until", "refusals"])

    @by_clerk
    def forget_refusals(self) -> None:
        """Note that the endpoint answered."""
        self.was_refused = False
        Connection.objects.filter(pk=self.connection_id).update(refusals=0)

    def _ahead(self, number: int | None) -> int:
        """How many living calls stand before a row, or (None) before the next one that comes."""
        alive = ConnectionCall.objects.filter(
            connection=self.connection_id, ended_at__isnull=True, lease_until__gt=timezone.now()
        )
        return (alive if number is None else alive.filter(pk__lt=number)).count()

    def _is_used_up(self, moment: datetime) -> bool:
        if self.per_minute is None:
            return False
        made = ConnectionCall.objects.filter(connection=self.connection_id, started_at__gt=moment - WINDOW)
        return made.count() >= self.per_minute

    def _row(self, number: int) -> models.QuerySet[ConnectionCall]:
        return ConnectionCall.objects.filter(pk=number)

    def _lock(self) -> float:
        """One at a time per connection, so that rows become visible in the order of their numbers.

        SQLite has one writer anyway. Gives the seconds that the connection still rests.
        """
        rows = Connection.objects.select_for_update().filter(pk=self.connection_id)
        for until, refusals in rows.values_list("rests_until", "refusals"):
            self.was_refused = self.was_refused or refusals > 0
            return self._rest(until)
        return 0.0

    def _rest(self, until: datetime | None = None) -> float:
        return 0.0 if until is None else max(0.0, (until - timezone.now()).total_seconds())


@dataclass(slots=True)
class Lease:
    """Keeps a row alive while its call waits or is made: it is asked again and again whether to give up."""

    queue: Queue
    number: int
    watch: Watch
    renewed: float = field(default_factory=time.monotonic)

    def is_cancelled(self) -> bool:
        if time.monotonic() - self.renewed >= RENEWAL_SECONDS:
            self.renewed = time.monotonic()
            self.queue.renew(self.number)
        return self.watch.is_cancelled()


def slots_of(
    connection_id: int, at_a_time: int, per_minute: int | None = None
) -> Callable[[Watch], AbstractContextManager[Watch]]:
    """Gives slots of a connection: a block that begins when its turn has come, with the watch to use in it."""
    queue = Queue(connection_id, at_a_time, per_minute)

    @contextmanager
    def slot(watch: Watch) -> Iterator[Watch]:
        number, may_start = queue.enter()
        kept = replace(watch, is_cancelled=Lease(queue, number, watch).is_cancelled)
        try:
            while not may_start and (pause := queue.start(number)):
                refuse_long_rest(pause, watch)
                kept.sleep(min(pause, LONGEST_PAUSE))
            with heeding(queue):
                yield kept
        finally:
            queue.leave(number)

    return slot


def refuse_long_rest(seconds: float, watch: Watch) -> None:
    """Raises EndpointFailed where a connection rests longer than a call waits."""
    left = watch.left()
    if seconds > PATIENCE_SECONDS or (seconds > LONGEST_PAUSE and left is not None and seconds >= left):
        raise EndpointFailed(
            Trouble.RATE_LIMITED,
            f"The endpoint limits how often it may be asked, and wants a pause of {seconds:.0f} seconds.",
            seconds,
        )


@contextmanager
def heeding(queue: Queue) -> Iterator[None]:
    """Let the connection rest where the endpoint asks for it in a call, and go on where it answers."""
    try:
        yield
    except EndpointFailed as error:
        asks = error.trouble in ASKS_FOR_REST
        if asks and (error.trouble is Trouble.RATE_LIMITED or error.retry_after is not None):
            queue.rest(error.retry_after)
        raise
    if queue.was_refused:
        queue.forget_refusals()
