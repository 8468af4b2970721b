import pytest

from runs.launch.launching import launch
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(author, version, agents):
    return work_off(launch(author, version, [agents["echo"], agents["reference"]]))


def test_a_pipeline_reads_the_verdict_of_each_agent(as_author, finished):
    told = as_author.get(f"/api/v1/runs/{finished.pk}/summary/").json()
    assert [(agent["name"], agent["cases"]["pass"]) for agent in told["agents"]][1] == ("reference", 3)


def test_tallies_come_in_pages_case_by_case(as_author, finished):
    page = as_author.get(f"/api/v1/runs/{finished.pk}/cases/", {"limit": 4}).json()
    rest = as_author.get(page["next"]).json()
    found = [(entry["case_key"], entry["run_agent"]) for entry in [*page["results"], *rest["results"]]]
    assert len(found) == len(set(found)) == 6
    entry = finished.agents.get(name="reference").pk
    narrowed = as_author.get(f"/api/v1/runs/{finished.pk}/cases/", {"run_agent": entry, "case_key": found[0][0]})
    assert [each["verdict"] for each in narrowed.json()["results"]] == ["pass"]
    assert as_author.get(f"/api/v1/runs/{finished.pk}/cases/", {"run_agent": "x"}).status_code == 400
