"""Periodic tasks in curation."""

import pytest
from django.urls import reverse
from django_celery_beat.models import IntervalSchedule, PeriodicTask

from tests.people import client_of

MODELS = ["periodictask", "intervalschedule", "crontabschedule", "solarschedule", "clockedschedule"]


@pytest.mark.parametrize("model", MODELS)
def test_superusers_open_the_timetable_and_other_staff_do_not(as_superuser, curator, model):
    for page in ("changelist", "add"):
        url = reverse(f"admin:django_celery_beat_{model}_{page}")
        assert as_superuser.get(url).status_code == 200
        assert client_of(curator).get(url).status_code == 403


def test_a_task_is_put_on_the_timetable_and_changed(as_superuser):
    every = IntervalSchedule.objects.create(every=1, period="minutes")
    form = {
        "name": "Sweep",
        "regtask": "runs.jobs.sweep",
        "enabled": "on",
        "interval": every.pk,
        "args": "[]",
        "kwargs": "{}",
        "headers": "{}",
    }
    assert as_superuser.post(reverse("admin:django_celery_beat_periodictask_add"), form).status_code == 302
    task = PeriodicTask.objects.get(name="Sweep")
    assert task.task == "runs.jobs.sweep"
    page = as_superuser.get(reverse("admin:django_celery_beat_periodictask_change", args=[task.pk]))
    assert "runs.jobs.sweep" in page.content.decode()
