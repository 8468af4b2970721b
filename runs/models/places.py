"""Places among the calls that a connection may make at a time, for all processes and hosts together.

Each call is a row in a queue. The first rows that are still alive may call, as many as the connection allows; a row
lives as long as its process comes back to it, so the place of a dead worker frees itself.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from runs.endpoints.watch import Watch
from runs.models.connections import Connection

LEASE = timedelta(seconds=12)
RENEWAL_SECONDS = 3.0
WINDOW = timedelta(minutes=1)
PAUSE = 0.03
LONGEST_PAUSE = 0.5


class Place(models.Model):
    """A call of a connection: waiting until `started_at` is set, then at work until `ended_at`."""

    connection = models.ForeignKey(Connection, models.CASCADE, related_name="places", db_index=False)
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
    """The queue of a connection. `per_minute` None means that only the number at a time is limited."""

    connection_id: int
    at_a_time: int
    per_minute: int | None = None

    def enter(self) -> tuple[int, bool]:
        """Stand at the end; gives the number of the row, and whether the call may be made at once."""
        with transaction.atomic():
            self._lock()
            moment = timezone.now()
            is_free = self._ahead(None) < self.at_a_time and not self._is_used_up(moment)
            row = Place.objects.create(
                connection_id=self.connection_id, lease_until=moment + LEASE, started_at=moment if is_free else None
            )
        return row.pk, is_free

    def start(self, number: int) -> float:
        """Begin the call if its turn has come, which gives 0; else gives the seconds to wait before asking again.

        Whoever is next asks often, whoever stands far behind seldom.
        """
        too_many = self._ahead(number) - self.at_a_time
        if too_many >= 0:
            return min(PAUSE * (1 + too_many), LONGEST_PAUSE)
        if self._is_used_up(timezone.now()):
            return LONGEST_PAUSE
        with transaction.atomic():
            self._lock()
            moment = timezone.now()
            if self._is_used_up(moment):
                return LONGEST_PAUSE
            self._row(number).update(started_at=moment, lease_until=moment + LEASE)
        return 0.0

    def leave(self, number: int) -> None:
        """Free the place. A call is remembered as long as it counts for the rate; older rows go, whoever left them."""
        moment = timezone.now()
        over = Q(lease_until__lt=moment - WINDOW)
        if self.per_minute is None:
            over |= Q(pk=number)
        else:
            self._row(number).update(ended_at=moment)
        Place.objects.filter(over, connection=self.connection_id).delete()

    def renew(self, number: int) -> None:
        """Say that the process of a call is alive."""
        self._row(number).update(lease_until=timezone.now() + LEASE)

    def _ahead(self, number: int | None) -> int:
        """How many living calls stand before a row, or (None) before whoever comes next."""
        alive = Place.objects.filter(
            connection=self.connection_id, ended_at__isnull=True, lease_until__gt=timezone.now()
        )
        return (alive if number is None else alive.filter(pk__lt=number)).count()

    def _is_used_up(self, moment: datetime) -> bool:
        if self.per_minute is None:
            return False
        made = Place.objects.filter(connection=self.connection_id, started_at__gt=moment - WINDOW)
        return made.count() >= self.per_minute

    def _row(self, number: int) -> models.QuerySet[Place]:
        return Place.objects.filter(pk=number)

    def _lock(self) -> None:
        """One at a time per connection, so that rows become visible in the order of their numbers.

        SQLite has one writer anyway.
        """
        list(Connection.objects.select_for_update().filter(pk=self.connection_id).values_list("pk"))


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


def places_of(
    connection_id: int, at_a_time: int, per_minute: int | None = None
) -> Callable[[Watch], AbstractContextManager[Watch]]:
    """Gives places of a connection: a block that begins when its turn has come, with the watch to use in it."""
    queue = Queue(connection_id, at_a_time, per_minute)

    @contextmanager
    def place(watch: Watch) -> Iterator[Watch]:
        number, may_start = queue.enter()
        kept = replace(watch, is_cancelled=Lease(queue, number, watch).is_cancelled)
        try:
            while not may_start and (pause := queue.start(number)):
                kept.sleep(pause)
            yield kept
        finally:
            queue.leave(number)

    return place
