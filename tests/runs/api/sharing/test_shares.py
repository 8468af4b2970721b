import pytest
from django.urls import reverse

from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db
SHARES = reverse("runs-api:shares")


def test_a_link_is_made_listed_and_taken_back(as_administrator, administrator, client, team, author, version):
    run = run_with(team, author, version, {"bot": ["p", "f", "p"]})
    of = f"run:{run.pk}"
    made = as_administrator.post(SHARES, {"of": of, "days": 3}, content_type="application/json")
    assert made.status_code == 201
    body = made.json()
    assert (body["of"], body["state"], body["created_by"]) == (of, "live", administrator.username)
    assert client.get(body["url"]).status_code == 200
    url = reverse("runs-api:share", args=[body["id"]])
    assert as_administrator.delete(url).status_code == 204
    assert client.get(body["url"]).status_code == 404
    (listed,) = as_administrator.get(SHARES, {"of": of}).json()["results"]
    assert (listed["state"], listed["url"], listed["ended_by"]) == ("taken back", None, administrator.username)


def test_days_are_held_to_the_limit(as_administrator, team, author, version):
    run = run_with(team, author, version, {"bot": ["p", "f", "p"]})
    said = as_administrator.post(SHARES, {"of": f"run:{run.pk}", "days": 366}, content_type="application/json")
    assert said.status_code == 400


def test_a_comparison_and_a_replay_are_files(as_administrator, as_stranger, team, author, version):
    one, other = (run_with(team, author, version, {"bot": outcomes}) for outcomes in (["p", "f", "p"], ["p"] * 3))
    for of in (f"comparison:{one.pk},{other.pk}", f"replay:{one.trials.first().pk}"):
        answer = as_administrator.get(reverse("runs-api:share-file"), {"of": of})
        assert answer["Content-Type"] == "text/html; charset=utf-8"
        assert ".html" in answer["Content-Disposition"]
        assert answer.content.startswith(b"<!")
        assert as_stranger.get(reverse("runs-api:share-file"), {"of": of}).status_code == 404
