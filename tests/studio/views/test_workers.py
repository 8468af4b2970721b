from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from runs.jobs.notices.noting import note
from runs.models import WorkerBeat
from tests.runs.noticed import notice

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


def test_the_bell_on_every_page_and_in_every_answer_to_a_poll_has_the_unread_notices(as_author, author, team):
    assert 'aria-label="Notifications"' in as_author.get(reverse("studio:home")).text
    note(notice(team, [author]))
    for answer in (as_author.get(reverse("studio:home")), as_author.get(reverse(WORKERS), headers=PART)):
        assert 'aria-label="Notifications: 1 unread"' in answer.text
        assert '<span class="bell__count">1</span>' in answer.text


def test_every_page_carries_the_sign(as_author):
    assert 'id="worker-pill"' in as_author.get(reverse("studio:home")).text
    assert as_author.get(reverse(WORKERS)).status_code == 200
