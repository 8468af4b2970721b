"""A run is asked for in the words of a person: pack and agents by name."""

import pytest

from packs.access import Role
from packs.models import Membership, Team
from tests.runs.studio_packs import pack_text, publish_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def version(team, author):
    return publish_text(team, author, pack_text({"default": 3}, slug="single"), slug="single")


def start(client, **wanted):
    return client.post("/api/v1/runs/", wanted, content_type="application/json")


def codes(response):
    return [finding["code"] for finding in response.json()["findings"]]


def test_the_newest_version_of_a_pack_is_run_with_agents_by_name_or_id(as_author, version, agents):
    answered = start(as_author, pack="single", agents=["echo", str(agents["empty"].pk)])
    assert answered.status_code == 201
    assert answered.json()["challenge_pack_version_id"] == version.pk
    assert [entry["name"] for entry in answered.json()["agents"]] == ["echo", "empty"]


@pytest.mark.parametrize(
    ("wanted", "code", "path"),
    [
        ({"agents": ["echo"]}, "invalid_challenge_pack_version_id", "challenge_pack_version_id"),
        ({"pack": "nothing", "agents": ["echo"]}, "unknown_pack", "pack"),
        ({"pack": "single", "agents": ["nobody"]}, "invalid_agent_deployment_ids", "agents"),
        ({"pack": "single", "agents": ["echo", "echo"]}, "invalid_agent_deployment_ids", "agent_deployment_ids"),
        ({"pack": "single", "agents": "echo"}, "invalid_agent_deployment_ids", "agents"),
    ],
)
def test_what_is_not_there_is_refused_at_its_field(as_author, version, agents, wanted, code, path):
    answered = start(as_author, **wanted)
    assert (answered.status_code, codes(answered)) == (400, [code])
    assert answered.json()["findings"][0]["path"] == path


def test_a_pack_that_two_teams_have_needs_its_team(as_author, version, agents, author):
    other = Team.objects.create(slug="other", name="Other")
    Membership.objects.create(team=other, user=author, role=Role.CURATOR)
    publish_text(other, author, pack_text({"default": 1}, slug="single"), slug="single")
    assert codes(start(as_author, pack="single", agents=["echo"])) == ["unknown_pack"]
    assert start(as_author, pack="single", team="default", agents=["echo"]).status_code == 201


def test_the_fields_that_there_are_stand_beside_one_that_is_not(as_author, version):
    answered = start(as_author, pakc="single")
    assert codes(answered) == ["invalid_request"]
    assert "pack" in answered.json()["findings"][0]["hint"]
