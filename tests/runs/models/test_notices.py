"""What a person has not read, counted with the query for the person."""

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from packs.notices import SECOND_FACTOR, Notice
from runs.jobs.notices.noting import note
from runs.models import Notification, notices
from runs.models.notices import with_unread
from tests.runs.noticed import notice

pytestmark = pytest.mark.django_db


def unread(user):
    return with_unread(User.objects.all()).get(pk=user.pk).unread


def test_what_a_person_has_not_read_counts(team, author, administrator):
    assert unread(author) == 0
    for _ in range(2):
        note(notice(team, [author, administrator]))
    about = {"title": "Turned on.", "place": "studio:account", "args": (), "people": frozenset({author.pk})}
    note(Notice(SECOND_FACTOR, None, **about))
    assert (unread(author), unread(administrator)) == (3, 2)
    Notification.objects.filter(user=author, notice__team=None).update(read_at=timezone.now())
    Notification.objects.filter(user=administrator).update(in_studio=False)
    assert (unread(author), unread(administrator)) == (2, 0)


def test_nothing_counts_of_a_team_that_somebody_left(team, author):
    note(notice(team, [author]))
    team.memberships.filter(user=author).delete()
    assert unread(author) == 0


def test_counting_ends_where_nobody_reads_on(team, author, monkeypatch):
    monkeypatch.setattr(notices, "MOST_UNREAD", 2)
    for _ in range(3):
        note(notice(team, [author]))
    assert unread(author) == 2


def test_one_query_reads_a_person_with_the_count(author, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert unread(author) == 0
