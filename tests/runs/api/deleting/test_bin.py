"""The bin over the API."""

import json

import pytest

from packs.access import Role
from runs.launch.launching import launch
from runs.models import Agent, GateSettings, Release
from tests.people import client_of, make_member
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db
API = "/api/v1/"


@pytest.fixture
def run(version, author, agents):
    return work_off(launch(author, version, [agents["echo"]]))


def post(client, address):
    return client.post(f"{API}{address}", json.dumps({}), content_type="application/json")


def codes(answer):
    return [finding["code"] for finding in answer.json()["findings"]]


@pytest.mark.parametrize("kind", ["pack", "run", "agent"])
def test_what_is_deleted_is_listed_comes_back_and_goes_for_ever(as_administrator, run, team, administrator, kind):
    rows = {"pack": run.version.pack, "run": run, "agent": run.agents.get().agent}
    model, pk = type(rows[kind]), rows[kind].pk
    place, bin_of = f"{kind}s/{pk}/deletion/", f"teams/{team.slug}/bin/{kind}s/"
    said = as_administrator.get(f"{API}{place}").json()
    assert said["obstacles"] == []
    assert said["dependents"]
    gone = post(as_administrator, place).json()
    assert (gone["id"], gone["kind"], gone["deleted_by"], gone["days_left"]) == (pk, kind, str(administrator), 30)
    assert as_administrator.get(f"{API}{kind}s/{pk}/").status_code == 404
    assert post(as_administrator, place).status_code == 404
    assert as_administrator.get(f"{API}{bin_of}").json()["results"] == [gone]
    assert post(as_administrator, f"{bin_of}{pk}/restore/").status_code == 204
    assert as_administrator.get(f"{API}{kind}s/{pk}/").status_code == 200
    assert post(as_administrator, f"{bin_of}{pk}/restore/").status_code == 404
    post(as_administrator, place)
    assert post(as_administrator, f"{bin_of}{pk}/purge/").status_code == 204
    assert not model._base_manager.filter(pk=pk).exists()
    assert as_administrator.get(f"{API}{bin_of}").json()["results"] == []


def test_everything_that_stands_in_the_way_is_said_with_its_code(as_administrator, run, version, author, agents):
    GateSettings.objects.create(pack=version.pack, gate="ci_merge_gate", section={"baseline": {"run_id": run.pk}})
    Release.objects.create(pack=version.pack, run=run, name="2.4.0")
    expected = ["release_made_with_run", "run_is_baseline"]
    said = as_administrator.get(f"{API}runs/{run.pk}/deletion/").json()["obstacles"]
    assert [one["code"] for one in said] == expected
    answer = post(as_administrator, f"runs/{run.pk}/deletion/")
    assert (answer.status_code, codes(answer)) == (409, [f"api.{code}" for code in expected])
    launch(author, version, [agents["echo"]])
    for address in (f"packs/{version.pack_id}/deletion/", f"agents/{agents['echo'].pk}/deletion/"):
        assert "api.run_not_ended" in codes(post(as_administrator, address))
    answer = as_administrator.delete(f"{API}agents/{agents['echo'].pk}/")
    assert (answer.status_code, codes(answer)) == (409, ["api.run_not_ended"])
    assert as_administrator.delete(f"{API}agents/{agents['empty'].pk}/").status_code == 204
    assert Agent._base_manager.get(name="empty").deleted_at is not None


def test_each_role_may_what_its_pages_let_it(as_author, run, team, agents, stranger):
    as_curator = client_of(make_member(team, Role.CURATOR))
    assert post(as_author, f"runs/{run.pk}/deletion/").status_code == 403
    assert post(client_of(stranger), f"runs/{run.pk}/deletion/").status_code == 404
    assert post(as_curator, f"agents/{agents['echo'].pk}/deletion/").status_code == 403
    assert post(as_curator, f"runs/{run.pk}/deletion/").status_code == 200
    assert len(as_author.get(f"{API}teams/{team.slug}/bin/runs/").json()["results"]) == 1
    assert client_of(stranger).get(f"{API}teams/{team.slug}/bin/runs/").status_code == 404
    assert post(as_curator, f"teams/{team.slug}/bin/runs/{run.pk}/purge/").status_code == 403
    assert post(as_curator, f"teams/{team.slug}/bin/runs/{run.pk}/restore/").status_code == 204
