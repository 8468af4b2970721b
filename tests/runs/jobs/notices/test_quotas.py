"""Administrators hear once that little of a quota is left."""

from datetime import timedelta

import pytest
from django.utils import timezone

from packs.notices import QUOTA_NEAR
from runs.jobs.notices.quotas import watch_quotas
from runs.launch.launching import launch
from runs.models import Delivery, Notification, Run, StoredNotice
from tests.runs.noticed import webhook
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_a_quota_is_said_once_a_day_to_administrators_and_webhooks(team, author, administrator, version, agents):
    run = work_off(launch(author, version, [agents["empty"]]))
    hook = webhook(team, kinds=[QUOTA_NEAR])
    team.quota_trials_per_day = 4
    team.save()
    watch_quotas()
    assert Run.objects.get(pk=run.pk).recorded_bytes > 0
    assert not StoredNotice.objects.filter(kind=QUOTA_NEAR).exists()
    team.quota_trials_per_day = 3
    team.save()
    for _ in range(2):
        watch_quotas()
    row = Notification.objects.get(notice__kind=QUOTA_NEAR)
    assert (row.user, row.notice.title) == (administrator, f"{team}: 3 of 3 trials used.")
    assert Delivery.objects.get(webhook=hook).notice.facts == {
        "quota": "trials",
        "used": 3,
        "limit": 3,
        "team": team.slug,
    }
    StoredNotice.objects.update(created_at=timezone.now() - timedelta(days=1))
    watch_quotas()
    assert StoredNotice.objects.filter(kind=QUOTA_NEAR).count() == 2


def test_each_quota_is_said_by_itself_and_storage_once_a_week(team, administrator, version):
    team.quota_storage_gb = team.quota_usd_per_month = 0
    team.save()
    watch_quotas()
    said = StoredNotice.objects.filter(kind=QUOTA_NEAR)
    assert {row.facts["quota"] for row in said} == {"storage", "money"}
    said.update(created_at=timezone.now() - timedelta(days=6))
    watch_quotas()
    assert [row.facts["quota"] for row in said.filter(created_at__lt=timezone.now())].count("storage") == 1
    said.update(created_at=timezone.now() - timedelta(days=8))
    watch_quotas()
    assert [row.facts["quota"] for row in said].count("storage") == 2
