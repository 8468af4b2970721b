"""Second scorings over the API."""

import pytest

from packs.access import Role
from runs.jobs.scores.rescoring import rescore
from runs.launch.launching import launch
from runs.models import Rescore
from tests.openai_server import trouble
from tests.people import client_of, make_member
from tests.runs.api.launches.test_actions import codes, send
from tests.runs.connections import make_connection
from tests.runs.grading.judges.benches import scores
from tests.runs.judged_packs import judged_text
from tests.runs.studio_packs import publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(author, version, agents):
    return work_off(launch(author, version, [agents["echo"], agents["empty"]]))


@pytest.fixture
def undecided(team, author, agents, model_server, local_endpoints):
    """A run whose judge was away, and is back."""
    make_connection(team, model_server, model_list=[{"name": "gpt-small"}], max_retries=0)
    model_server.answer = lambda request: trouble(503)
    run = work_off(launch(author, publish_text(team, author, judged_text(2)), [agents["echo"]]))
    model_server.reset()
    model_server.reply(scores(5))
    return run


def test_a_run_is_scored_again_beside_itself(as_author, finished):
    answer = send(as_author, f"runs/{finished.pk}/rescores/")
    assert (answer.status_code, answer.json()["status"]) == (202, "queued")
    number = answer.json()["id"]
    rescore(Rescore.objects.get(pk=number))
    shown = as_author.get(f"/api/v1/rescores/{number}/").json()
    assert (shown["status"], shown["summary"]["changed"]) == ("completed", 0)
    results = as_author.get(f"/api/v1/rescores/{number}/results/").json()["results"]
    assert len(results) == 6
    assert {result["status"] for result in results} == {"passed", "failed"}
    assert as_author.get(f"/api/v1/rescores/{number}/results/?changed=true").json()["results"] == []
    listed = as_author.get(f"/api/v1/runs/{finished.pk}/rescores/").json()["results"]
    assert [row["id"] for row in listed] == [number]


def test_a_wrong_evaluation_is_refused_with_what_is_wrong(as_author, finished, author, version, agents):
    answer = send(as_author, f"runs/{finished.pk}/rescores/", {"evaluation": "name: parcels"})
    assert answer.status_code == 422
    assert any(code.startswith("challenge_pack.") for code in codes(answer))
    assert codes(send(as_author, f"runs/{finished.pk}/rescores/", {"version": 7})) == ["api.unknown_version"]
    waiting = launch(author, version, [agents["echo"]])
    assert send(as_author, f"runs/{waiting.pk}/rescores/").status_code == 409


def test_judges_are_asked_again_and_their_verdicts_count_when_somebody_says_so(as_author, undecided, model_server):
    chosen = {"gpt-small": {"connection": "models", "model": "other"}}
    answer = send(as_author, f"runs/{undecided.pk}/rescores/", {"asks": "missing", "connections": chosen})
    assert (answer.status_code, answer.json()["asks"]) == (202, "missing")
    number = answer.json()["id"]
    assert codes(send(as_author, f"rescores/{number}/adopt/")) == ["api.not_adoptable"]
    rescore(Rescore.objects.get(pk=number))
    assert {request["model"] for request in model_server.requests} == {"other"}
    shown = as_author.get(f"/api/v1/rescores/{number}/").json()
    assert (shown["summary"]["judging"]["calls"], shown["adopted_at"]) == (4, None)
    [result, _] = as_author.get(f"/api/v1/rescores/{number}/results/").json()["results"]
    assert (result["status"], result["usage"]["tokens"], "events" in result) == ("passed", 20, False)
    assert as_author.get(f"/api/v1/runs/{undecided.pk}/").json()["counts"] == {"undecided": 2}
    assert send(as_author, f"rescores/{number}/adopt/").json()["adopted_at"]
    assert as_author.get(f"/api/v1/runs/{undecided.pk}/").json()["counts"] == {"passed": 2}
    assert codes(send(as_author, f"rescores/{number}/cancel/")) == ["api.rescore_has_ended"]


def test_a_scoring_that_waits_is_cancelled(as_author, finished):
    number = send(as_author, f"runs/{finished.pk}/rescores/").json()["id"]
    answer = send(as_author, f"rescores/{number}/cancel/")
    assert (answer.status_code, answer.json()["status"]) == (202, "cancelled")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"asks": "some"}, 400, "api.invalid_choice"),
        ({"asks": "all", "connections": {"gpt-small": {"connection": "none"}}}, 422, "api.invalid_connections"),
        ({"connections": {"gpt-small": {"connection": "models"}}}, 422, "api.nobody_asked"),
        ({"asks": "all", "connections": {"gpt-small": "models"}}, 400, "api.not_a_dict"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(as_author, finished, body, status, code):
    answer = send(as_author, f"runs/{finished.pk}/rescores/", body)
    assert (answer.status_code, codes(answer)) == (status, [code])
    assert not Rescore.objects.exists()


def test_who_may_only_read_asks_nobody_and_lets_nothing_count(team, finished, as_author):
    number = send(as_author, f"runs/{finished.pk}/rescores/").json()["id"]
    viewer = client_of(make_member(team, Role.VIEWER))
    for act in ("cancel", "adopt"):
        assert send(viewer, f"rescores/{number}/{act}/").status_code == 403
