"""Calls of judges, which count on when their trials are gone."""

import pytest
from django.db import connection
from django.utils import timezone

from runs.models import Event, GoneJudgeCalls, judge_calls
from runs.models.trials import REPLY
from tests.runs.queues import begin_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def trial(team, author):
    return begin_run(team, author, cases=1).trials.get()


def tell(trial, *types):
    told = {"trial": trial, "source": "judge", "occurred_at": timezone.now()}
    Event.objects.bulk_create(
        Event(sequence=1000 + number, event_type=each, **told) for number, each in enumerate(types)
    )


def test_replies_of_judges_count_and_other_events_do_not(trial):
    assert judge_calls.judge_calls() == 0
    tell(trial, REPLY, "turn.user.message", REPLY)
    assert judge_calls.judge_calls() == 2
    trial.events.exclude(event_type=REPLY).delete()
    assert not GoneJudgeCalls.objects.exists()


def test_the_number_stays_when_events_runs_or_the_whole_team_go(trial):
    tell(trial, REPLY, REPLY, REPLY)
    trial.events.filter(sequence=1001).delete()
    assert (judge_calls.judge_calls(), trial.events.filter(event_type=REPLY).count()) == (3, 2)
    trial.run.delete()
    assert (judge_calls.judge_calls(), Event.objects.count()) == (3, 0)
    assert GoneJudgeCalls.objects.get().calls == 3


def test_a_trigger_that_was_lost_is_made_anew_after_migrations(trial):
    tell(trial, REPLY)
    on_table = "" if connection.vendor == "sqlite" else f" ON {judge_calls.EVENTS}"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {judge_calls.TRIGGER}{on_table}")
    for _ in range(2):
        judge_calls.prepare()
    trial.events.all().delete()
    assert judge_calls.judge_calls() == 1
