"""Gates over REST: what a pipeline does with an address and a token."""

from xml.etree import ElementTree

import pytest
from rest_framework.test import APIClient

from packs.access import Role
from runs.bin import obstacles
from runs.jobs.tasks import execute_gate
from runs.models import GateRequest, Release
from studio.tokens import Wish, issue
from tests.people import make_member
from tests.runs.gated import answering, gated_run, publish_suites
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def suites(team, author):
    return publish_suites(team, author)


def client_with_token(user):
    _, key = issue(user, Wish("pipeline"))
    return APIClient(headers={"authorization": f"Bearer {key}"})


@pytest.fixture
def pipeline(author):
    return client_with_token(author)


def codes(answer):
    return [finding["code"] for finding in answer.json()["findings"]]


def post(client, path, data, **more):
    return client.post(f"/api/v1/{path}", data, format="json", **more)


def test_a_pipeline_starts_a_run_waits_and_gets_a_verdict_with_junit(suites, pipeline):
    answering(suites, "agent", capital_1="Madrid")
    wanted = {"gate": "merge", "pack": "capitals", "agent": "agent", "ci_metadata": {"branch": "main", "commit": "a1"}}
    started = post(pipeline, "gate-runs/", wanted)
    assert (started.status_code, started.json()["done"], started.json()["exit_code"]) == (201, False, 3)
    links = started.json()["links"]
    assert codes(pipeline.get(links["junit"])) == ["run_not_ended"]
    row = GateRequest.objects.get(run=started.json()["run_id"])
    work_off(row.run)
    assert pipeline.get(links["result"]).json()["done"] is False
    execute_gate(row.pk)
    found = pipeline.get(links["result"]).json()
    assert (found["done"], found["verdict"], found["exit_code"]) == (True, "fail", 1)
    assert found["report"]["suites"]["golden"]["failed"] == 1
    root = ElementTree.fromstring(pipeline.get(links["junit"]).content)
    assert root.get("name") == "ci_merge_gate"


def test_the_same_key_starts_one_run(suites, pipeline):
    answering(suites, "agent")
    wanted = {"pack": "capitals", "agent": "agent"}
    answers = [post(pipeline, "gate-runs/", wanted, headers={"Idempotency-Key": "build 7"}) for _ in range(2)]
    assert len({answer.json()["run_id"] for answer in answers}) == 1


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"pack": "nothing", "agent": "agent"}, "unknown_pack"),
        ({"pack": "capitals", "agent": "nobody"}, "invalid_agent_deployment_ids"),
        ({"pack": "capitals", "agent": "agent", "baseline_run_id": 99999}, "unknown_baseline"),
        ({"pack": "capitals", "agent": "agent", "bsaeline_run_id": 1}, "api.unknown_field"),
    ],
)
def test_what_is_not_there_is_refused(suites, pipeline, wanted, code):
    answering(suites, "agent")
    assert codes(post(pipeline, "gate-runs/", wanted)) == [code]


def test_a_run_is_asked_again_and_compared_with_a_named_one(suites, author, pipeline):
    good, bad = gated_run(author, suites), gated_run(author, suites, capital_1="Madrid")
    answer = post(pipeline, f"runs/{bad.pk}/gate-checks/", {"gate": "merge", "baseline_run_id": good.pk})
    assert (answer.status_code, answer.json()["baseline_run_id"]) == (201, str(good.pk))
    key = answer.json()["id"]
    assert pipeline.get(f"/api/v1/gate-checks/{key}/").json() == answer.json()
    assert [row["id"] for row in pipeline.get(f"/api/v1/gate-checks/?pack={suites.pack_id}").json()["results"]] == [key]
    assert pipeline.get(f"/api/v1/gate-checks/{key}/junit/")["Content-Type"].startswith("application/xml")


def test_another_policy_is_only_tried(suites, author, pipeline):
    bad = gated_run(author, suites, incident_1="Madrid")
    relaxed = {"gate": "merge", "policy": {"suite_thresholds": {"failure_replays": None}}}
    answer = post(pipeline, f"runs/{bad.pk}/gate-checks/", relaxed)
    assert (answer.status_code, answer.json()["verdict"], answer.json()["id"]) == (200, "pass", None)
    assert not bad.gate_checks.exists()
    odd = {"gate": "merge", "policy": {"fail_on": ["bad_luck"]}}
    assert codes(post(pipeline, f"runs/{bad.pk}/gate-checks/", odd)) == ["invalid_policy"]


def test_a_pack_whose_format_says_nothing_of_gates_has_a_policy_to_edit(version, author, team):
    curator = client_with_token(make_member(team, Role.CURATOR))
    address = f"/api/v1/packs/{version.pack_id}/gates/merge/"
    assert curator.get(address).json()["source"] == "defaults"
    section = {"suite_thresholds": {"default": 0.5}}
    answer = curator.put(address, {"section": section}, format="json")
    assert (answer.json()["source"], answer.json()["policy"]["thresholds"]) == ("settings", {"default": 0.5})


def test_a_pack_that_says_it_itself_is_not_overruled(suites, team):
    curator = client_with_token(make_member(team, Role.CURATOR))
    address = f"/api/v1/packs/{suites.pack_id}/gates/ci_merge_gate/"
    assert curator.get(address).json()["source"] == "version"
    assert curator.put(address, {"section": {}}, format="json").status_code == 409


def test_a_curator_names_the_run_of_a_release(suites, author, team, pipeline):
    run = gated_run(author, suites)
    assert post(pipeline, f"runs/{run.pk}/releases/", {"name": "1.0"}).status_code == 403
    curator = client_with_token(make_member(team, Role.CURATOR))
    assert post(curator, f"runs/{run.pk}/releases/", {"name": "1.0"}).status_code == 201
    assert Release.objects.get().run == run


def test_a_curator_takes_a_release_off_a_run_which_can_be_deleted_then(suites, author, team, pipeline):
    run, other = gated_run(author, suites), gated_run(author, suites)
    row = Release.objects.create(pack=suites.pack, run=run, name="1.0")
    curator = client_with_token(make_member(team, Role.CURATOR))
    assert pipeline.get(f"/api/v1/runs/{run.pk}/releases/").json() == [{"id": row.pk, "name": "1.0", "run_id": run.pk}]
    address = f"/api/v1/runs/{run.pk}/releases/{row.pk}/"
    assert pipeline.delete(address).status_code == 403
    assert curator.delete(f"/api/v1/runs/{other.pk}/releases/{row.pk}/").status_code == 404
    assert [obstacle.code for obstacle in obstacles(run)] == ["release_made_with_run"]
    assert curator.delete(address).status_code == 204
    assert list(obstacles(run)) == []


def test_a_list_for_a_pack_that_is_no_number_is_refused_instead_of_being_the_whole_list(suites, pipeline):
    assert pipeline.get("/api/v1/gate-checks/?pack=capitals").status_code == 400
    assert pipeline.get("/api/v1/gate-schedules/?pack=capitals").status_code == 400
