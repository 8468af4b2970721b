import pytest
from rest_framework.test import APIClient

from packs.access import Role
from packs.models import Case
from runs.models import Trial
from tests.people import make_member
from tests.runs.failing import failing_run, publish_suite, task

pytestmark = pytest.mark.django_db


@pytest.fixture
def trial(team, author, version):
    return Trial.objects.filter(run=failing_run(team, author, version)).order_by("pk")[0]


def call(user, trial, **body):
    client = APIClient()
    client.force_authenticate(user)
    return client.post(f"/api/v1/trials/{trial.pk}/case/", body, format="json")


def test_a_trial_becomes_a_case_of_a_draft(author, trial):
    pack = trial.run.version.pack
    answer = call(author, trial, pack=pack.pk, key="mine", forbidden=["Guess"])
    assert answer.status_code == 201
    row = Case.objects.get(pk=answer.data["id"])
    assert (row.pack, row.key) == (pack, "mine")


def test_a_dry_run_says_what_would_be_made(author, trial):
    answer = call(author, trial, pack=trial.run.version.pack.pk, dry_run=True)
    assert answer.status_code == 200
    assert answer.data["document"]["case_key"] == answer.data["key"] == "case-0000-replay-1"
    assert not Case.objects.filter(key="case-0000-replay-1").exists()


def test_a_duplicate_is_a_conflict(author, trial):
    pack = trial.run.version.pack.pk
    assert call(author, trial, pack=pack).status_code == 201
    answer = call(author, trial, pack=pack)
    assert answer.status_code == 409
    assert [found["code"] for found in answer.json()["findings"]] == ["api.duplicate_case"]
    assert call(author, trial, pack=pack, anyway=True).status_code == 201


def test_a_set_that_takes_no_failures_is_refused(team, author, trial):
    pack = publish_suite(team, author, task("parcel_1")).pack
    golden = pack.input_sets.get(key="golden").pk
    assert call(author, trial, pack=pack.pk, input_set=golden).status_code == 400
    assert call(author, trial, pack=pack.pk).status_code == 201


def test_reading_a_trial_is_not_enough(team, stranger, trial):
    pack = trial.run.version.pack.pk
    assert call(make_member(team, Role.VIEWER), trial, pack=pack).status_code == 403
    assert call(stranger, trial, pack=pack).status_code == 404
