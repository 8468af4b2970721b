import pytest
from django.urls import reverse

from tests.runs.calibrated import calibrated_run, judged_suite

pytestmark = pytest.mark.django_db


def test_the_api_gives_the_measures_and_takes_a_standard(
    as_administrator, team, administrator, model_server, local_endpoints
):
    version = judged_suite(team, administrator)
    run = calibrated_run(version, administrator, model_server, ["pp"] * 5 + ["ff"] * 4 + ["fp"])
    address = reverse("runs-api:pack-judges", args=[version.pack_id])
    found = as_administrator.get(address).json()
    (judge,) = found["judges"]
    assert (found["least_kappa"], judge["standing"], judge["kappa"]) == (0.6, "agrees", pytest.approx(0.8))
    assert [each["run"] for each in judge["differences"]] == [run.pk]
    assert [(each["run"], each["agreement"]["share"]) for each in judge["runs"]] == [(run.pk, 0.9)]
    changed = as_administrator.put(address, {"least_kappa": 0.9}, "application/json")
    assert changed.json()["judges"][0]["standing"] == "doubtful"
    assert as_administrator.put(address, {"least_kappa": 3}, "application/json").status_code in (400, 422)
