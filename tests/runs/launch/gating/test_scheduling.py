"""Runs that start by themselves."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from django_celery_beat.models import PeriodicTask
from django_celery_beat.schedulers import ModelEntry

from packs.models import Membership, PackVersion
from runs.launch.gating import start_run_of_schedule
from runs.launch.gating.scheduling import Moment, forget, is_due, next_time, start_scheduled, tell_beat
from runs.models import GateSchedule
from studio.celery import app
from tests.runs.gated import answering, publish_suites

pytestmark = pytest.mark.django_db


def at(*parts):
    return datetime(*parts, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "now", "due"),
    [
        (Moment(2, 0, "1234567", "UTC"), at(2026, 3, 2, 1), at(2026, 3, 2, 2)),
        (Moment(2, 0, "1234567", "UTC"), at(2026, 3, 2, 2), at(2026, 3, 3, 2)),
        (Moment(2, 0, "1", "UTC"), at(2026, 3, 2, 3), at(2026, 3, 9, 2)),
        (Moment(2, 0, "1234567", "Europe/Berlin"), at(2026, 7, 1, 1), at(2026, 7, 2, 0)),
        (Moment(9, 30, "67", "Asia/Tokyo"), at(2026, 3, 6, 23), at(2026, 3, 7, 0, 30)),
        (Moment(2, 0, "", "UTC"), at(2026, 3, 2), None),
        (Moment(2, 0, "", "UTC", month_day=15), at(2026, 3, 15, 2), at(2026, 4, 15, 2)),
        (Moment(2, 0, "1", "UTC", month_day=31), at(2026, 1, 31, 3), at(2026, 2, 28, 2)),
        (Moment(2, 0, "", "UTC", month_day=30), at(2028, 2, 1), at(2028, 2, 29, 2)),
        (Moment(1, 0, "", "Asia/Tokyo", month_day=1), at(2026, 3, 30), at(2026, 3, 31, 16)),
        (Moment(5, 30, "1234567", "UTC", every_hours=4), at(2026, 3, 2, 1, 30), at(2026, 3, 2, 5, 30)),
        (Moment(5, 30, "1", "UTC", every_hours=12), at(2026, 3, 2, 17, 30), at(2026, 3, 9, 5, 30)),
        (Moment(0, 0, "", "UTC", month_day=1, every_hours=1), at(2026, 3, 1, 23), at(2026, 4, 1)),
    ],
)
def test_the_next_time_is_that_of_the_zone(moment, now, due):
    assert moment.after(now) == due


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (Moment(2, 0, "1234567", "UTC"), "Every day at 02:00 (UTC)"),
        (Moment(14, 5, "12345", "UTC"), "Monday to Friday at 14:05 (UTC)"),
        (Moment(2, 0, "17", "UTC"), "Monday, Sunday at 02:00 (UTC)"),
        (Moment(2, 0, "1", "UTC", 15), "On day 15 of each month at 02:00 (UTC)"),
        (Moment(2, 0, "1", "UTC", 31), "On day 31 of each month, or its last, at 02:00 (UTC)"),
        (Moment(14, 5, "12345", "UTC", None, 6), "Monday to Friday every 6 hours from 02:05 on (UTC)"),
        (Moment(2, 0, "1234567", "UTC", None, 1), "Every day every hour from 00:00 on (UTC)"),
    ],
)
def test_a_moment_is_told_in_words(moment, words):
    assert moment.words == words


@pytest.fixture
def schedule(team, author):
    version = publish_suites(team, author)
    row = GateSchedule.objects.create(
        pack=version.pack, agent=answering(version), owner=author, zone="Europe/Berlin", weekdays="17", branch="main"
    )
    tell_beat(row)
    return row


def test_beat_sends_the_job_of_a_schedule(schedule):
    entry = ModelEntry(PeriodicTask.objects.get(name=f"Gate schedule {schedule.pk}"), app=app)
    assert (entry.task, list(entry.args)) == (start_run_of_schedule.name, [schedule.pk])
    assert (entry.schedule.hour, entry.schedule.minute, entry.schedule.day_of_week) == ({2}, {0}, {0, 1})
    assert str(entry.schedule.tz) == "Europe/Berlin"


def test_beat_sends_the_job_on_the_day_of_the_month_every_few_hours(schedule):
    schedule.month_day, schedule.every_hours = 30, 8
    tell_beat(schedule)
    entry = ModelEntry(PeriodicTask.objects.get(name=f"Gate schedule {schedule.pk}"), app=app)
    assert entry.schedule.hour == {2, 10, 18}
    assert entry.schedule.day_of_month == {28, 29, 30}
    assert entry.schedule.day_of_week == set(range(7))


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (at(2026, 1, 28, 2), False),
        (at(2026, 1, 31, 2), True),
        (at(2026, 2, 27, 2), False),
        (at(2026, 2, 28, 2), True),
        (at(2026, 4, 30, 1, 59, 50), True),
    ],
)
@pytest.mark.parametrize("before", [None, at(2025, 12, 31, 2)])
def test_a_schedule_of_the_last_day_waits_for_it(now, due, before):
    row = GateSchedule(zone="UTC", hour=2, month_day=31, last_started_at=before)
    assert is_due(row, now) is due


def test_a_message_that_came_early_and_its_double_start_one_run():
    row = GateSchedule(zone="UTC", hour=2, last_started_at=at(2026, 3, 2, 1, 59, 45))
    assert not is_due(row, at(2026, 3, 2, 2, 0, 5))
    assert is_due(row, at(2026, 3, 3, 1, 59, 45))


def test_a_schedule_that_is_switched_off_rests(schedule):
    schedule.is_on = False
    schedule.save()
    tell_beat(schedule)
    assert not PeriodicTask.objects.get(name=f"Gate schedule {schedule.pk}").enabled
    assert next_time(schedule) is None
    assert start_scheduled(schedule.pk) is None


def test_a_schedule_that_is_deleted_leaves_nothing_in_the_timetable(schedule):
    forget(schedule)
    assert not PeriodicTask.objects.filter(name__startswith="Gate schedule").exists()


def test_the_run_of_a_schedule_is_the_owners_and_wants_a_verdict(schedule, author):
    start_run_of_schedule(schedule.pk)
    schedule.refresh_from_db()
    run = schedule.last_run
    assert (run.created_by, run.metadata["branch"], run.gate_requests.get().gate) == (author, "main", "nightly")


def test_two_messages_of_one_moment_start_one_run(schedule):
    assert start_scheduled(schedule.pk) is not None
    assert start_scheduled(schedule.pk) is None


def test_a_schedule_that_starts_leaves_the_others_to_their_moment(schedule):
    other = GateSchedule.objects.create(
        pack=schedule.pack, agent=schedule.agent, owner=schedule.owner, zone="UTC", weekdays="1", branch="other"
    )
    start_scheduled(schedule.pk)
    other.refresh_from_db()
    assert (other.last_started_at, other.last_run) == (None, None)
    assert start_scheduled(other.pk) is not None


def test_a_pack_without_a_version_that_can_be_run_is_said_and_nothing_starts(schedule):
    PackVersion.objects.filter(pack=schedule.pack).update(status="archived")
    assert start_scheduled(schedule.pk) is None
    schedule.refresh_from_db()
    assert "no version that can be run" in schedule.trouble
    assert schedule.last_run is None


def test_the_next_moment_starts_the_next_run(schedule):
    GateSchedule.objects.filter(pk=schedule.pk).update(last_started_at=timezone.now() - timedelta(days=8))
    assert start_scheduled(schedule.pk) is not None


def test_an_owner_who_may_not_run_any_more_is_told_and_nothing_starts(schedule, author):
    Membership.objects.filter(user=author).update(role="viewer")
    assert start_scheduled(schedule.pk) is None
    schedule.refresh_from_db()
    assert schedule.trouble
    assert schedule.last_run is None
