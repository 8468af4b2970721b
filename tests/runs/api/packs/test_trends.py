import pytest
from django.urls import reverse

from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


def test_it_gives_the_points_and_of_one_agent_what_changed(as_author, team, author, version):
    first = run_with(team, author, version, {"old": ["p", "f", "e"], "new": ["p", "p", "p"]}, cost_usd=0.5)
    second = run_with(team, author, version, {"old": ["f", "p", "p"], "new": ["p", "p", "p"]}, cost_usd=0.5)
    url = reverse("runs-api:pack-results", args=[version.pack_id])
    whole = as_author.get(url).json()
    assert [(point["run"], point["agent"]) for point in whole["results"]] == [
        (first.pk, "old"),
        (first.pk, "new"),
        (second.pk, "old"),
        (second.pk, "new"),
    ]
    assert (whole["set"], whole["sets"], whole["changes"]) == ("default", ["default"], None)
    assert whole["results"][0]["coverage"] == pytest.approx(2 / 3)
    changes = as_author.get(url, {"agent": "old"}).json()["changes"]
    assert [case["case_key"] for case in changes["regressed"]] == ["case-0000"]
    assert [case["case_key"] for case in changes["fixed"]] == ["case-0001"]
    assert as_author.get(url, {"set": "gone"}).json()["results"] == []
