import orjson
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from packs.access import Role
from runs.models import Run, Trial
from tests.people import client_of, make_member
from tests.runs.failing import failing_run, publish_suite, task
from tests.runs.results.test_importing import lines, record

pytestmark = pytest.mark.django_db
PAGE = "runs:import"


@pytest.fixture
def version(team, author):
    return publish_suite(team, author, task("parcel_1", trials={"k": 1}))


def send(client, version, data, **fields):
    file = SimpleUploadedFile("records.jsonl", data)
    return client.post(reverse(PAGE), {"version": version.pk, "file": file, **fields})


def test_an_upload_is_looked_at_and_imported_when_it_is_confirmed(as_author, version):
    answer = send(as_author, version, lines(record(), record(index=2, run_id="b")), name="Last night")
    assert answer.status_code == 200
    assert answer.context["found"].cases == {"parcel_1": 2}
    assert not Run.objects.exists()
    done = as_author.post(reverse("runs:import-confirm"), {"token": answer.context["token"]})
    run = Run.objects.get()
    assert done["Location"] == reverse("runs:show", args=[run.pk])
    assert (run.name, run.trial_count) == ("Last night", 2)
    again = as_author.post(reverse("runs:import-confirm"), {"token": answer.context["token"]})
    assert again.status_code == 409


def test_pasted_text_is_taken_as_well(as_author, version):
    text = orjson.dumps(record(), option=orjson.OPT_INDENT_2).decode().replace("\n", "\r\n")
    answer = as_author.post(reverse(PAGE), {"version": version.pk, "text": text})
    assert answer.context["found"].can_import


def test_records_with_errors_can_only_be_mended(as_author, version):
    answer = send(as_author, version, lines(record(), record("nobody")))
    assert answer.status_code == 422
    assert (answer.context["token"], [found.line for found in answer.context["findings"]]) == ("", [2])


def test_an_empty_form_says_what_is_missing(as_author, version):
    answer = as_author.post(reverse(PAGE), {"version": version.pk})
    assert (answer.status_code, bool(answer.context["trouble"])) == (422, True)


def test_a_team_without_versions_is_told_what_to_do(as_author):
    assert as_author.get(reverse(PAGE)).status_code == 200
    assert as_author.post(reverse(PAGE), {"text": "{}"}).status_code == 200


def test_a_stranger_s_version_is_not_found_and_a_viewer_may_import_nothing(as_stranger, team, version):
    assert send(as_stranger, version, lines(record())).status_code == 404
    assert client_of(make_member(team, Role.VIEWER)).get(reverse(PAGE)).status_code == 403


def test_a_trial_can_be_downloaded_as_record_and_as_trace(as_author, as_stranger, team, author, version):
    trial = Trial.objects.filter(run=failing_run(team, author, version)).first()
    address = reverse("runs:trace", args=[trial.pk])
    assert address in as_author.get(reverse("runs:trial", args=[trial.pk])).content.decode()
    whole = orjson.loads(as_author.get(address).content)
    assert whole["trace"] == orjson.loads(as_author.get(address + "?as=trace").content)
    assert as_stranger.get(address).status_code == 404
    Trial.objects.filter(pk=trial.pk).update(finished_at=None)
    assert as_author.get(address).status_code == 404
