"""Quotas of a team over the API."""

import json

import pytest

from packs.models import Team
from runs.launch.launching import launch

pytestmark = pytest.mark.django_db


def test_members_read_what_is_used_and_administrators_set_limits(
    as_author, as_administrator, author, team, version, agents
):
    launch(author, version, [agents["echo"]])
    address = f"/api/v1/teams/{team.slug}/quotas/"
    shown = {row["quota"]: row for row in as_author.get(address).json()}
    assert (shown["trials"]["used"], shown["trials"]["limit"], shown["trials"]["is_near"]) == (3, None, False)
    assert shown["storage"]["used"] > 0
    assert shown["storage"]["frees_at"] is None
    body = json.dumps({"quota_trials_per_day": 3, "quota_storage_gb": 2.5})
    assert as_author.patch(address, body, content_type="application/json").status_code == 403
    changed = {
        row["quota"]: row for row in as_administrator.patch(address, body, content_type="application/json").json()
    }
    assert (changed["trials"]["share"], changed["trials"]["is_reached"]) == (1, True)
    assert changed["storage"]["limit"] == 2.5 * 1024**3
    wrong = as_administrator.patch(
        address, json.dumps({"quota_trials_per_day": -1, "trials": 3}), content_type="application/json"
    )
    assert wrong.status_code == 400
    as_administrator.patch(address, json.dumps({"quota_trials_per_day": None}), content_type="application/json")
    row = Team.objects.get(pk=team.pk)
    assert (row.quota_trials_per_day, row.quota_storage_gb) == (None, 2.5)
