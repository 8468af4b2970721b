"""Schedules: what Celery beat gets of them, when they are due next, and what happens then."""

import logging
from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django_celery_beat.models import CrontabSchedule, PeriodicTask

from runs.jobs.gating.checks import GateRefused
from runs.launch.gating.starting import Start, newest_version, start_for_gate
from runs.launch.refusals import LaunchRefused
from runs.models import GateSchedule, Run

log = logging.getLogger(__name__)

START_SCHEDULED = "runs.gating.start_scheduled"
# How much earlier than ours the sender's clock may go.
EARLY = timedelta(seconds=30)
SHORTEST_MONTH = 28
# Within so many days each schedule that is ever due is due, also where a clock change skips its hour.
LONGEST_GAP = 64
DAYS = {
    "1": "Monday",
    "2": "Tuesday",
    "3": "Wednesday",
    "4": "Thursday",
    "5": "Friday",
    "6": "Saturday",
    "7": "Sunday",
}


@dataclass(frozen=True, slots=True)
class Moment:
    """When a schedule is due, as `GateSchedule` says."""

    hour: int
    minute: int
    weekdays: str
    zone: str
    month_day: int | None = None
    every_hours: int | None = None

    @classmethod
    def of(cls, row: GateSchedule) -> "Moment":
        return cls(row.hour, row.minute, row.weekdays, row.zone, row.month_day, row.every_hours)

    @property
    def hours(self) -> list[int]:
        """The hours of a day at which it is due."""
        step = self.every_hours
        return [self.hour] if step is None else list(range(self.hour % step, 24, step))

    def is_on(self, day: date) -> bool:
        """Whether it is due on a day."""
        if self.month_day is None:
            return str(day.isoweekday()) in self.weekdays
        return day.day == min(self.month_day, monthrange(day.year, day.month)[1])

    def after(self, now: datetime) -> datetime | None:
        """The next moment after `now`; None where no day is chosen. An hour that a clock change skips comes later."""
        zone = ZoneInfo(self.zone)
        today = now.astimezone(zone).date()
        for day in (today + timedelta(days=ahead) for ahead in range(LONGEST_GAP)):
            for hour in self.hours if self.is_on(day) else ():
                moment = datetime.combine(day, time(hour, self.minute), zone)
                if moment > now:
                    return moment
        return None

    @property
    def words(self) -> str:
        """The moment in words, such as `Every day at 02:00 (Europe/Berlin)`."""
        return f"{self._days} {self._times} ({self.zone})"

    @property
    def _days(self) -> str:
        if self.month_day is not None:
            last = ", or its last," if self.month_day > SHORTEST_MONTH else ""
            return f"On day {self.month_day} of each month{last}"
        known = [day for day in DAYS if day in self.weekdays]
        named = {"1234567": "Every day", "12345": "Monday to Friday", "67": "Saturday and Sunday", "": "Never"}
        return named.get("".join(known)) or ", ".join(DAYS[day] for day in known)

    @property
    def _times(self) -> str:
        if self.every_hours is None:
            return f"at {self.hour:02}:{self.minute:02}"
        often = "every hour" if self.every_hours == 1 else f"every {self.every_hours} hours"
        return f"{often} from {self.hours[0]:02}:{self.minute:02} on"

    @property
    def cron(self) -> dict[str, str]:
        """The fields of a crontab that is due at least then; `is_due` looks whether it is so in a shorter month."""
        # Cron counts the days of the week from Sunday, which is 0.
        weekdays = ",".join(sorted(str(int(day) % 7) for day in self.weekdays))
        days = str(self.month_day or "*")
        if self.month_day is not None and self.month_day > SHORTEST_MONTH:
            days = f"{SHORTEST_MONTH}-{self.month_day}"
        return {
            "minute": str(self.minute),
            "hour": ",".join(map(str, self.hours)),
            "day_of_week": weekdays if self.month_day is None else "*",
            "day_of_month": days,
            "month_of_year": "*",
        }


def next_time(row: GateSchedule, now: datetime | None = None) -> datetime | None:
    """When a schedule starts its next run; None for one that is off, and while its agent lies in the bin."""
    rests = not row.is_on or row.agent.deleted_at is not None
    return None if rests else Moment.of(row).after(now or timezone.now())


def task_name(row: GateSchedule) -> str:
    return f"Gate schedule {row.pk}"


def tell_beat(row: GateSchedule) -> None:
    """Put a schedule into the timetable of Celery beat, or change what is there."""
    moment = Moment.of(row)
    with transaction.atomic():
        crontab, _ = CrontabSchedule.objects.get_or_create(**moment.cron, timezone=ZoneInfo(row.zone))
        PeriodicTask.objects.update_or_create(
            name=task_name(row),
            defaults={
                "task": START_SCHEDULED,
                "args": f"[{row.pk}]",
                "crontab": crontab,
                "enabled": row.is_on and moment.after(timezone.now()) is not None,
                "description": "Made by the schedule of a gate; change it there.",
            },
        )


def forget_all(rows: Iterable[GateSchedule]) -> None:
    """Delete schedules, as `forget` does."""
    for row in rows:
        forget(row)


def forget(row: GateSchedule) -> None:
    """Delete a schedule, also from the timetable of Celery beat."""
    with transaction.atomic():
        PeriodicTask.objects.filter(name=task_name(row)).delete()
        row.delete()


def start_scheduled(pk: int) -> Run | None:
    """Start the run of a schedule, unless it is off or its moment had its run; None then, and where it is refused."""
    now = timezone.now()
    rows = GateSchedule.objects.kept().filter(pk=pk, is_on=True, agent__deleted_at=None)
    row = rows.select_related("pack__team", "agent", "owner").first()
    if row is None or not is_due(row, now):
        return None
    unclaimed = GateSchedule.objects.filter(pk=pk, last_started_at=row.last_started_at)
    if not unclaimed.update(last_started_at=now):
        return None
    try:
        run = start(row, now)
    except (LaunchRefused, GateRefused) as refused:
        log.warning("schedule-refused", extra={"schedule": pk, "code": refused.code})
        GateSchedule.objects.filter(pk=pk).update(trouble=refused.message)
        return None
    GateSchedule.objects.filter(pk=pk).update(last_run=run, trouble="")
    return run


def is_due(row: GateSchedule, now: datetime) -> bool:
    """Whether a moment of the schedule has come since its last start.

    Messages can be doubled, and of days near the end of a month one comes for each that may be the last.
    """
    moment, early = Moment.of(row), now + EARLY
    if row.month_day is not None and not moment.is_on(early.astimezone(ZoneInfo(row.zone)).date()):
        return False
    if row.last_started_at is None:
        return True
    due = moment.after(row.last_started_at + EARLY)
    return due is not None and due <= early


def start(row: GateSchedule, now: datetime) -> Run:
    """Raises LaunchRefused, GateRefused."""
    if row.owner is None:
        raise LaunchRefused("no_owner", "Nobody owns this schedule any more. Save it again to take it over.")
    day = now.astimezone(ZoneInfo(row.zone)).strftime("%Y-%m-%d %H:%M")
    wanted = Start(
        gate=row.gate,
        input_set=row.input_set,
        name=f"{row.get_gate_display()} {day}",
        metadata={"schedule": row.pk, **({"branch": row.branch} if row.branch else {})},
    )
    return start_for_gate(row.owner, newest_version(row.pack), row.agent, wanted)
