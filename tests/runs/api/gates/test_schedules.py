"""Schedules over REST."""

import pytest
from django_celery_beat.models import PeriodicTask
from rest_framework.test import APIClient

from runs.models import GateSchedule
from tests.runs.gated import answering, publish_suites

pytestmark = pytest.mark.django_db

ADDRESS = "/api/v1/gate-schedules/"


@pytest.fixture
def suites(team, author):
    return publish_suites(team, author)


@pytest.fixture
def api(author):
    client = APIClient()
    client.force_authenticate(author)
    return client


def wanted(suites, **more):
    answering(suites, "agent")
    return {"pack": suites.pack_id, "agent": "agent", "hour": 3, "zone": "Europe/Berlin", **more}


def test_a_schedule_is_made_changed_and_deleted_with_its_entry_in_the_timetable(suites, api, author):
    made = api.post(ADDRESS, wanted(suites), format="json")
    assert (made.status_code, made.json()["words"]) == (201, "Every day at 03:00 (Europe/Berlin)")
    row = GateSchedule.objects.get()
    assert row.owner == author
    address = f"{ADDRESS}{row.pk}/"
    assert api.get(address).json()["next_at"]
    assert api.patch(address, {"is_on": False}, format="json").json()["next_at"] is None
    assert not PeriodicTask.objects.get(name=f"Gate schedule {row.pk}").enabled
    assert [found["id"] for found in api.get(f"{ADDRESS}?pack={suites.pack_id}").json()["results"]] == [row.pk]
    assert api.delete(address).status_code == 204
    assert not PeriodicTask.objects.filter(name=f"Gate schedule {row.pk}").exists()


def test_a_schedule_is_for_a_day_of_the_month_every_few_hours(suites, api):
    made = api.post(ADDRESS, wanted(suites, month_day=31, every_hours=6), format="json")
    assert (made.json()["month_day"], made.json()["every_hours"]) == (31, 6)
    changed = api.patch(f"{ADDRESS}{made.json()['id']}/", {"month_day": None}, format="json").json()
    assert changed["words"] == "Every day every 6 hours from 03:00 on (Europe/Berlin)"


@pytest.mark.parametrize(
    "odd",
    [
        {"month_day": 0},
        {"month_day": 32},
        {"every_hours": 5},
        {"zone": "Mars/Base"},
        {"hour": 24},
        {"weekdays": "8"},
        {"weekdays": ""},
        {"agent": "x"},
    ],
)
def test_a_schedule_that_makes_no_sense_is_refused(suites, api, odd):
    assert api.post(ADDRESS, wanted(suites, **odd), format="json").status_code == 400
    assert not GateSchedule.objects.exists()
