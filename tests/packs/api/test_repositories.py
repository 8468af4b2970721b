import pytest

from packs.access import Role
from packs.jobs import execute_job
from packs.models import Job
from tests.packs.test_repositories import apart, bound, in_folder, server, title  # noqa: F401 - fixtures
from tests.people import client_of, make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def ask(team, apart):
    client = client_of(make_member(team, Role.ADMINISTRATOR))

    def send(method, path="", status=200, **body):
        url = f"/api/v1/packs/{apart.pack.pk}/git/{path}"
        response = getattr(client, method)(url, body or None, content_type="application/json")
        assert response.status_code == status, response.text
        return response.json() if response.content else {}

    return send


def outcome(job):
    execute_job(job["id"])
    return Job.objects.get(pk=job["id"]).outcome


def test_a_program_looks_pulls_and_pushes(ask, apart, server):
    found = outcome(ask("post", "look/", 202))
    (conflict,) = found["conflicts"]
    names = {"seen": [conflict["name"]], "theirs": [conflict["name"]]}
    outcome(ask("post", "pull/", 202, commit=found["commit"], **names))
    assert title(apart) == "Their Unit conversion"
    assert ask("get")["commit"] == found["commit"]
    assert outcome(ask("post", "push/", 202, message="x"))["code"] == "nothing"


def test_a_pack_is_bound_elsewhere_and_unbound(ask, apart):
    assert ask("put", address=apart.address, branch="next")["commit"] == ""
    refused = ask("put", "", 422, address="https://elsewhere.example/a.git", branch="main")
    assert refused["findings"][0]["code"] == "api.not_allowed"
    ask("delete", "", 204)
    assert ask("get", "", 404)["findings"][0]["code"] == "api.not_bound"
