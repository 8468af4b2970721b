"""What a team runs and spends, and how large its recordings are."""

from datetime import timedelta

import pytest
from django.utils import timezone

from packs.columns import encode
from packs.quotas import MONEY, STORAGE, TRIALS, QuotaReached, first_of_month
from runs.jobs.trials.retrying import retry
from runs.launch.launching import Options, launch
from runs.models import Attempt, Event, Rescore, Run, Trial
from runs.quotas import measure_recordings, recent_usages, spent_this_month, trials_today, usages
from runs.retention import remove_recordings
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(author, version, agents):
    """A run of three trials that has ended."""
    return work_off(launch(author, version, [agents["empty"]]))


def test_trials_count_while_they_wait_on_the_day_on_which_they_began_and_with_each_try(author, team, version, agents):
    run = launch(author, version, [agents["empty"]], Options(trials=2))
    assert trials_today(team) == 6
    work_off(run)
    assert trials_today(team) == 6
    assert retry(run, "failed", author) == 6
    assert trials_today(team) == 12
    work_off(run)
    yesterday = timezone.now() - timedelta(days=1)
    Trial.objects.update(started_at=yesterday)
    assert trials_today(team) == 6
    Attempt.objects.update(started_at=yesterday)
    assert trials_today(team) == 0
    retry(run, "failed", author)
    assert trials_today(team) == 6


def test_trials_of_other_teams_do_not_count_and_those_in_the_bin_do(finished, team, other_team):
    assert (trials_today(team), trials_today(other_team)) == (3, 0)
    Run.objects.filter(pk=finished.pk).update(deleted_at=timezone.now())
    assert trials_today(team) == 3


def test_money_is_that_of_this_month_with_judges_replaced_tries_and_rescores(finished, team, author, version):
    Trial.objects.update(cost_usd=2.0, judge_cost_usd=0.5)
    assert spent_this_month(team) == 7.5
    retry(finished, "failed", author)
    assert spent_this_month(team) == 7.5
    summary = {"judging": {"cost_usd": 1.0}}
    row = Rescore.objects.create(run=finished, version=version, summary=summary, finished_at=timezone.now())
    assert spent_this_month(team) == 8.5
    Rescore.objects.update(adopted_at=timezone.now())
    assert spent_this_month(team) == 7.5
    Attempt.objects.filter(trial=finished.trials.first()).update(finished_at=first_of_month() - timedelta(seconds=1))
    assert spent_this_month(team) == 5.0
    Rescore.objects.filter(pk=row.pk).update(adopted_at=None, summary={"judging": {"cost_usd": None}})
    assert spent_this_month(team) == 5.0


def test_recordings_are_measured_once_a_run_has_ended_and_again_when_they_change(finished, team, author):
    def measured():
        measure_recordings()
        return Run.objects.get(pk=finished.pk).recorded_bytes

    before = {usage.name: usage.used for usage in usages(team)}[STORAGE]
    size = sum(len(encode(payload).encode()) for payload in Event.objects.values_list("payload", flat=True))
    assert measured() == size > 0
    assert {usage.name: usage.used for usage in usages(team)}[STORAGE] == before + size
    retry(finished, "failed", author)
    assert measured() is None
    work_off(finished)
    assert measured() > size
    Trial.objects.update(finished_at=timezone.now() - timedelta(days=9))
    remove_recordings(finished, 5)
    assert measured() == 3 * len("[]")


def test_pages_show_what_was_counted_a_moment_ago_and_the_limit_of_now(finished, team):
    assert recent_usages(team)[1].used == 3
    Trial.objects.all().delete()
    team.quota_trials_per_day = 5
    assert [(usage.name, usage.used, usage.limit) for usage in recent_usages(team)][1:] == [
        (TRIALS, 3, 5),
        (MONEY, 0, None),
    ]


def test_trying_again_is_refused_before_anything_changed(finished, team, author):
    team.quota_trials_per_day = 5
    team.save()
    finished.refresh_from_db()
    with pytest.raises(QuotaReached) as caught:
        retry(finished, "failed", author)
    assert caught.value.code == "trials_quota_reached"
    assert "may run 5 trials a day: 3 trials used, and this needs 3." in caught.value.message
    assert (Attempt.objects.count(), Run.objects.get(pk=finished.pk).status) == (0, "completed")
