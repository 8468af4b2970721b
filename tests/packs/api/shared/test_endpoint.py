import json

import pytest
from django.urls import get_resolver

from packs.api.shared.endpoint import Endpoint
from tests.packs.drafts import pack_text
from tests.people import client_of

API = "/api/v1"


def findings(response):
    return [(each["code"], each["path"]) for each in response.json()["findings"]]


def views(resolver, prefix=""):
    for pattern in resolver.url_patterns:
        address = prefix + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from views(pattern, address)
        else:
            yield address, pattern.callback


def test_every_endpoint_looks_at_its_query():
    found = [(address, view) for address, view in views(get_resolver()) if address.startswith("api/v1/")]
    assert len(found) > 80
    assert [address for address, view in found if not issubclass(view.view_class, Endpoint)] == []


def test_a_filter_that_there_is_not_is_refused_with_the_one_that_was_meant(as_author):
    refused = as_author.get(f"{API}/packs/?statsu=active")
    assert (refused.status_code, findings(refused)) == (400, [("api.unknown_parameter", "statsu")])
    assert "status" in refused.json()["findings"][0]["message"]


def test_an_endpoint_without_parameters_takes_none(as_author):
    refused = as_author.get(f"{API}/teams/?limit=5")
    assert (refused.status_code, findings(refused)) == (400, [("api.unknown_parameter", "limit")])


@pytest.mark.parametrize(
    "address",
    [
        "packs/?team=default&q=a&slug=b&format=agentv&status=draft&limit=5",
        "runs/?team=default&pack=a&status=queued&limit=5",
        "agents/?team=default&limit=5",
        "reviews/?limit=5&pack=default/a&show=all",
        "jobs/?status=queued&limit=5",
    ],
)
def test_described_parameters_are_taken(as_author, address):
    assert as_author.get(f"{API}/{address}").status_code == 200


def test_strangers_learn_nothing_of_parameters(db):
    assert client_of(None).get(f"{API}/packs/?colour=red").status_code == 401


def test_neither_yes_nor_no_is_refused(as_author, team):
    refused = as_author.post(f"{API}/packs/import/?dry_run=maybe", b"a: 1", content_type="application/yaml")
    assert (refused.status_code, findings(refused)) == (400, [("api.invalid", "dry_run")])


@pytest.mark.parametrize("kind", ["agents", "connections", "secrets"])
def test_a_missing_team_is_the_only_one_or_is_asked_for(as_stranger, stranger, other_team, team, kind):
    given = {
        "agents": {"name": "a", "kind": "echo"},
        "connections": {"name": "c", "base_url": "https://models.example/v1"},
        "secrets": {"name": "KEY", "value": "v"},
    }[kind]

    def make(name):
        body = json.dumps(given | {"name": name})
        return as_stranger.post(f"{API}/{kind}/", body, content_type="application/json")

    made = make("FIRST")
    assert made.status_code == 201
    assert getattr(other_team, kind).count() == 1
    team.memberships.create(user=stranger, role="administrator")
    asked = make("SECOND")
    assert (asked.status_code, [path for _, path in findings(asked)]) == (400, ["team"])


def test_a_second_import_of_the_same_pack_says_that_the_pack_was_there(as_author, team):
    first, second = (
        as_author.post(f"{API}/packs/import/", pack_text(), content_type="application/yaml") for _ in range(2)
    )
    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json()["id"] == first.json()["id"]
