from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from runs.models import WorkerBeat

WORKERS = "studio:workers"
PART = {"HX-Request": "true"}


def beat(ago):
    now = timezone.now()
    WorkerBeat.objects.create(name="one", seen_at=now - ago, started_at=now - ago, slots=2)


def test_a_living_worker_is_counted(as_author):
    beat(timedelta(seconds=1))
    response = as_author.get(reverse(WORKERS), headers=PART)
    assert "chip--green" in response.text
    assert "<html" not in response.text


def test_a_worker_that_is_silent_for_seconds_may_be_busy_and_is_not_told_as_none(as_author):
    beat(timedelta(seconds=9))
    text = as_author.get(reverse(WORKERS), headers=PART).text
    assert "chip--amber" in text
    assert "No worker" not in text
    assert "make run" not in as_author.get(reverse(WORKERS)).text


def test_where_no_worker_has_lived_recently_the_way_to_start_one_is_shown(as_author):
    beat(timedelta(seconds=30))
    text = as_author.get(reverse(WORKERS), headers=PART).text
    assert "chip--red" in text
    assert "make run" in text
    assert "celery -A studio worker" in text


def test_every_page_carries_the_sign(as_author):
    assert 'id="worker-pill"' in as_author.get(reverse("studio:home")).text
    assert as_author.get(reverse(WORKERS)).status_code == 200
