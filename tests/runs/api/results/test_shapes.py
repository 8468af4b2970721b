"""What the API answers is what its description promises; OpenAPI 3.1 shapes are JSON Schemas."""

import jsonschema_rs
import pytest
from drf_spectacular.generators import SchemaGenerator

from runs.jobs.tasks import execute_gate
from runs.models import GateRequest
from tests.runs.gated import answering, publish_suites
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db
WANTED = {"pack": "capitals", "agent": "agent"}


@pytest.fixture(scope="module")
def described():
    return SchemaGenerator().get_schema(request=None, public=True)


@pytest.fixture
def request_of_gate(as_author, team, author):
    answering(publish_suites(team, author), "agent", capital_1="Madrid")
    started = as_author.post("/api/v1/gate-runs/", WANTED, content_type="application/json").json()
    return GateRequest.objects.get(run=started["run_id"])


def problems(described, path, answer):
    """Where an answer is not what the description promises of this path."""
    responses = described["paths"][f"/api/v1/{path}"]["get"]["responses"]
    found = responses[str(answer.status_code)]
    if "$ref" in found:
        found = described["components"]["responses"][found["$ref"].rpartition("/")[2]]
    shape = found["content"]["application/json"]["schema"]
    validator = jsonschema_rs.Draft202012Validator({**shape, "components": described["components"]})
    return [
        f"{path} {'/'.join(map(str, one.instance_path))}: {one.message}" for one in validator.iter_errors(answer.json())
    ]


def test_a_run_for_a_gate_is_what_is_promised_before_and_after_its_verdict(described, as_author, request_of_gate):
    address = f"/api/v1/gate-runs/{request_of_gate.run_id}/"
    assert problems(described, "gate-runs/{id}/", as_author.get(address)) == []
    work_off(request_of_gate.run)
    execute_gate(request_of_gate.pk)
    found = as_author.get(address)
    assert found.json()["done"]
    assert problems(described, "gate-runs/{id}/", found) == []


def test_what_is_read_of_an_ended_run_is_what_is_promised(described, as_author, request_of_gate):
    run = work_off(request_of_gate.run)
    execute_gate(request_of_gate.pk)
    check, trial, pack = run.gate_checks.get(), run.trials.first(), run.version.pack_id
    addresses = {
        "agents/": [],
        "gate-checks/": [],
        "gate-checks/{id}/": [check.pk],
        "jobs/": [],
        "packs/": [],
        "packs/{id}/": [pack],
        "packs/{id}/findings/": [pack],
        "packs/{id}/gates/{gate}/": [pack, "merge"],
        "packs/{id}/history/": [pack],
        "packs/{id}/versions/": [pack],
        "packs/{id}/{collection}/": [pack, "cases"],
        "runs/": [],
        "runs/{id}/": [run.pk],
        "runs/{id}/agents/": [run.pk],
        "runs/{id}/gate-checks/": [run.pk],
        "runs/{id}/summary/": [run.pk],
        "runs/{id}/cases/": [run.pk],
        "runs/{id}/trials/": [run.pk],
        "teams/": [],
        "trials/{id}/": [trial.pk],
        "trials/{id}/events/": [trial.pk],
        "versions/{id}/": [run.version_id],
        "versions/{id}/cases/": [run.version_id],
        "versions/{id}/input-sets/": [run.version_id],
        # A refusal has its promise as well.
        "rescores/{id}/": [0],
    }
    wrong = []
    for path, values in addresses.items():
        parts = iter(values)
        address = "/".join(str(next(parts)) if part.startswith("{") else part for part in path.split("/"))
        wrong += problems(described, path, as_author.get(f"/api/v1/{address}"))
    assert wrong == []
