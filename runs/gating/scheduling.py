"""Schedules: what Celery beat is told of them, when they are due next, and what happens then."""

import logging
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django_celery_beat.models import CrontabSchedule, PeriodicTask

from runs.gating.starting import Start, newest_version, start_for_gate
from runs.jobs.gates import GateRefused
from runs.launch import LaunchRefused
from runs.models import GateSchedule, Run

log = logging.getLogger(__name__)

START_SCHEDULED = "runs.gating.start_scheduled"
# How much earlier than ours the clock of whoever sends may go.
EARLY = timedelta(seconds=30)
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
    """When a schedule is due: a time of the day on some days of the week (ISO numbers as digits) in a zone."""

    hour: int
    minute: int
    weekdays: str
    zone: str

    @classmethod
    def of(cls, row: GateSchedule) -> "Moment":
        return cls(row.hour, row.minute, row.weekdays, row.zone)

    def after(self, now: datetime) -> datetime | None:
        """The next moment after `now`; None where no day is chosen. An hour that a clock change skips comes later."""
        zone = ZoneInfo(self.zone)
        today = now.astimezone(zone).date()
        for ahead in range(9):
            day = today + timedelta(days=ahead)
            moment = datetime.combine(day, time(self.hour, self.minute), zone)
            if str(day.isoweekday()) in self.weekdays and moment > now:
                return moment
        return None

    @property
    def words(self) -> str:
        """The moment in words, such as `Every day at 02:00 (Europe/Berlin)`."""
        known = [day for day in DAYS if day in self.weekdays]
        named = {"1234567": "Every day", "12345": "Monday to Friday", "67": "Saturday and Sunday", "": "Never"}
        days = named.get("".join(known)) or ", ".join(DAYS[day] for day in known)
        return f"{days} at {self.hour:02}:{self.minute:02} ({self.zone})"


def next_time(row: GateSchedule, now: datetime | None = None) -> datetime | None:
    """When a schedule starts its next run; None for one that is off."""
    return Moment.of(row).after(now or timezone.now()) if row.is_on else None


def task_name(row: GateSchedule) -> str:
    return f"Gate schedule {row.pk}"


def tell_beat(row: GateSchedule) -> None:
    """Put a schedule into the timetable of Celery beat, or change what is there."""
    # Cron counts the days of the week from Sunday, which is 0.
    days = ",".join(sorted(str(int(day) % 7) for day in row.weekdays))
    with transaction.atomic():
        crontab, _ = CrontabSchedule.objects.get_or_create(
            minute=str(row.minute),
            hour=str(row.hour),
            day_of_week=days,
            day_of_month="*",
            month_of_year="*",
            timezone=ZoneInfo(row.zone),
        )
        PeriodicTask.objects.update_or_create(
            name=task_name(row),
            defaults={
                "task": START_SCHEDULED,
                "args": f"[{row.pk}]",
                "crontab": crontab,
                "enabled": row.is_on and bool(row.weekdays),
                "description": "Made by the schedule of a gate; change it there.",
            },
        )


def forget(row: GateSchedule) -> None:
    """Delete a schedule, also from the timetable of Celery beat."""
    with transaction.atomic():
        PeriodicTask.objects.filter(name=task_name(row)).delete()
        row.delete()


def start_scheduled(pk: int) -> Run | None:
    """Start the run of a schedule, unless it is off or its moment had its run; None then, and where it is refused."""
    now = timezone.now()
    row = GateSchedule.objects.select_related("pack__team", "agent", "owner").filter(pk=pk, is_on=True).first()
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
    """Whether a moment of the schedule has come since its last start: messages can be doubled."""
    if row.last_started_at is None:
        return True
    due = Moment.of(row).after(row.last_started_at)
    return due is not None and due <= now + EARLY


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
