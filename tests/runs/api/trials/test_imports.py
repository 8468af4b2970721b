import pytest
from rest_framework.test import APIClient

from packs.access import Role
from runs.models import Run, Trial
from tests.people import make_member
from tests.runs.failing import failing_run, publish_suite, task
from tests.runs.results.test_importing import lines, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def version(team, author):
    return publish_suite(team, author, task("parcel_1", trials={"k": 1}))


def client_for(user):
    client = APIClient()
    client.force_authenticate(user)
    return client


def send(user, data, **query):
    return client_for(user).post(
        "/api/v1/runs/import/", data, content_type="application/x-ndjson", query_params={"name": "a.jsonl", **query}
    )


def test_records_become_a_run(author, version):
    answer = send(author, lines(record()), version=version.pk, run_name="Last night")
    assert (answer.status_code, answer.data["name"], answer.data["trial_count"]) == (201, "Last night", 1)


def test_a_dry_run_says_what_would_be_made(author, version):
    answer = send(author, lines(record(), record("nobody")), version=version.pk, dry_run="true")
    assert answer.status_code == 200
    assert (answer.data["can_import"], answer.data["trials"]) == (False, 1)
    assert not Run.objects.exists()


def test_one_wrong_record_refuses_all(author, version):
    answer = send(author, lines(record(), record("nobody")), version=version.pk)
    assert answer.status_code == 422
    assert [(found["code"], found["line"]) for found in answer.json()["findings"]] == [("traces.E003", 2)]
    assert not Run.objects.exists()


def test_the_version_is_named_and_may_be_run(team, author, stranger, version):
    assert send(author, lines(record())).status_code == 400
    assert send(stranger, lines(record()), version=version.pk).status_code == 404
    assert send(make_member(team, Role.VIEWER), lines(record()), version=version.pk).status_code == 403


def test_a_trial_is_told_as_record_or_trace(team, author, stranger, version):
    trial = Trial.objects.filter(run=failing_run(team, author, version)).first()
    address = f"/api/v1/trials/{trial.pk}/trace/"
    whole = client_for(author).get(address).data
    assert client_for(author).get(address, {"as": "trace"}).data == whole["trace"]
    assert client_for(author).get(address, {"as": "x"}).status_code == 400
    assert client_for(stranger).get(address).status_code == 404
    Trial.objects.filter(pk=trial.pk).update(finished_at=None)
    assert client_for(author).get(address).status_code == 409
