"""The form of a schedule."""

import pytest
from django.urls import reverse
from django_celery_beat.models import PeriodicTask

from packs.access import Role
from runs.models import GateSchedule
from tests.people import client_of, make_member
from tests.runs.gated import answering, publish_suites

pytestmark = pytest.mark.django_db


@pytest.fixture
def suites(team, author):
    return publish_suites(team, author)


@pytest.fixture
def fields(suites):
    """What a sound form sends."""
    agent = answering(suites, "agent")
    return {"agent": agent.pk, "at": "03:30", "weekdays": ["1", "5"], "zone": "Europe/Berlin", "is_on": "on"}


@pytest.fixture
def new(suites):
    return reverse("runs:gate-schedule-new", args=["default", suites.pack.slug, "nightly"])


def test_a_schedule_is_made_and_tells_when_it_is_due(fields, new, as_author, author):
    assert as_author.get(new).status_code == 200
    as_author.post(new, fields)
    row = GateSchedule.objects.get()
    assert (row.gate, row.hour, row.minute, row.weekdays, row.owner) == ("nightly", 3, 30, "15", author)
    shown = as_author.get(reverse("runs:gate-schedule", args=[row.pk])).context
    assert (shown["words"], bool(shown["next"])) == ("Monday, Friday at 03:30 (Europe/Berlin)", True)


def test_a_schedule_of_a_day_of_the_month_needs_no_day_of_the_week(fields, new, as_author):
    as_author.post(new, {**fields, "weekdays": [], "month_day": "31", "every_hours": "12"})
    row = GateSchedule.objects.get()
    assert (row.month_day, row.every_hours) == (31, 12)
    page = as_author.get(reverse("runs:gate-schedule", args=[row.pk]))
    assert page.context["words"] == "On day 31 of each month, or its last, every 12 hours from 03:30 on (Europe/Berlin)"
    as_author.post(reverse("runs:gate-schedule", args=[row.pk]), {**fields, "month_day": "", "every_hours": ""})
    row.refresh_from_db()
    assert (row.month_day, row.every_hours) == (None, None)


def test_a_schedule_is_switched_off_and_deleted(fields, new, as_author):
    as_author.post(new, fields)
    row = GateSchedule.objects.get()
    as_author.post(reverse("runs:gate-schedule", args=[row.pk]), {**fields, "is_on": ""})
    assert not PeriodicTask.objects.get(name=f"Gate schedule {row.pk}").enabled
    as_author.post(reverse("runs:gate-schedule-delete", args=[row.pk]))
    assert not GateSchedule.objects.exists()


@pytest.mark.parametrize(
    "odd",
    [
        {"at": "25:00"},
        {"weekdays": []},
        {"zone": "Mars/Base"},
        {"agent": ""},
        {"month_day": "32"},
        {"every_hours": "5"},
    ],
)
def test_a_wrong_field_is_told_at_the_field(fields, new, as_author, odd):
    answer = as_author.post(new, {**fields, **odd})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, list(odd))
    assert not GateSchedule.objects.exists()


def test_whoever_saves_a_schedule_owns_its_runs(fields, new, as_author, team):
    as_author.post(new, fields)
    row = GateSchedule.objects.get()
    curator = make_member(team, Role.CURATOR)
    client_of(curator).post(reverse("runs:gate-schedule", args=[row.pk]), fields)
    row.refresh_from_db()
    assert row.owner == curator


def test_a_pack_whose_runs_take_one_set_asks_which(sets_version, agents, as_author):
    where = reverse("runs:gate-schedule-new", args=["default", sets_version.pack.slug, "merge"])
    choices = as_author.get(where).context["form"].fields["input_set"].choices
    assert [key for key, _ in choices] == ["small", "large"]
