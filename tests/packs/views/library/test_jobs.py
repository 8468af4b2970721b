import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from packs.jobs import execute_job
from packs.models import Job, Pack
from tests.packs.grid.benchmark import MANIFEST, grid_draft, rows_of


@pytest.fixture
def small_limit(monkeypatch):
    """Every upload counts as a large one."""
    monkeypatch.setattr("packs.formats.costs.MAX_VALUES", 1)


def upload(client, team):
    lines = b"".join(json.dumps(item).encode() + b"\n" for item in rows_of(3))
    files = [SimpleUploadedFile("manifest.yaml", MANIFEST), SimpleUploadedFile("tasks.jsonl", lines)]
    return client.post(reverse("packs:import"), {"team": team.pk, "files": files})


def test_a_large_upload_goes_through_jobs_to_its_pack(as_author, team, small_limit):
    response = upload(as_author, team)
    looking = Job.objects.get()
    assert response["Location"] == reverse("packs:job", args=[looking.pk])
    waiting = as_author.get(response["Location"])
    assert b"/cancel/" in waiting.content
    execute_job(looking.pk)
    assert as_author.get(response["Location"], headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    shown = as_author.get(response["Location"])
    assert shown.context["preview"].counts["case"] == 3
    response = as_author.post(reverse("packs:import-confirm"), {"token": str(shown.context["preview"].token)})
    importing = Job.objects.get(kind="import")
    assert response["Location"] == reverse("packs:job", args=[importing.pk])
    assert not Pack.objects.exists()
    execute_job(importing.pk)
    assert b"is imported" in as_author.get(response["Location"]).content
    assert Pack.objects.get().cases.count() == 3


def test_a_pack_that_is_still_written_is_there_for_nobody(as_author, team):
    draft = grid_draft(team)
    Pack.objects.filter(pk=draft.pk).update(status="importing")
    assert as_author.get("/packs/default/rows/").status_code == 404


def test_a_job_is_cancelled_from_its_page(as_author, team, small_limit):
    upload(as_author, team)
    job = Job.objects.get()
    as_author.post(reverse("packs:job-cancel", args=[job.pk]))
    page = as_author.get(reverse("packs:job", args=[job.pk]))
    assert b"Cancelled" in page.content
    assert b"/cancel/" not in page.content


def test_a_large_draft_is_exported_by_a_job(as_author, as_administrator, team):
    draft = grid_draft(team)
    response = as_author.post(f"/packs/default/{draft.slug}/export/prepare/")
    job = Job.objects.get()
    assert response["Location"] == reverse("packs:job", args=[job.pk])
    url = reverse("packs:job-file", args=[job.pk])
    assert as_author.get(url).status_code == 404
    execute_job(job.pk)
    download = as_author.get(url)
    assert download["Content-Disposition"] == 'attachment; filename="rows.zip"'
    assert b"".join(download.streaming_content)[:2] == b"PK"
    assert as_administrator.get(url).status_code == 404


def test_more_cases_than_a_request_takes_are_changed_by_a_job(as_author, team, monkeypatch):
    monkeypatch.setattr("packs.views.workbench.grid.bulk.MANY_CASES", 3)
    draft = grid_draft(team)
    url = f"/packs/default/rows/edit/sets/{draft.input_sets.get().pk}/rows/bulk/"
    data = {"act": "edit", "scope": "all", "pointer": "/metadata/level", "what": "set", "text": "x"}
    assert as_author.post(url, data).context["worked_out"] == 3
    as_author.post(url, {**data, "go": "1"})
    job = Job.objects.get()
    execute_job(job.pk)
    assert {case.document["metadata"]["level"] for case in draft.cases.all()} == {"x"}
    assert as_author.get(reverse("packs:job", args=[job.pk])).status_code == 200


def test_more_rows_than_a_request_takes_are_taken_by_a_job(as_author, team, monkeypatch):
    monkeypatch.setattr("packs.views.workbench.grid.tables.MANY_CASES", 1)
    draft = grid_draft(team)
    url = f"/packs/default/rows/edit/sets/{draft.input_sets.get().pk}/rows/table/"
    token = as_author.post(url, {"text": "id,question\na,Why?\nb,When?\n"})["Location"].partition("upload=")[2]
    assert as_author.get(url, {"upload": token}).context["report"] is None
    data = {"upload": token, "names": "1", "map:0": "/id", "map:1": "/input/question", "errors": "1", "go": "1"}
    response = as_author.post(url, data)
    execute_job(Job.objects.get().pk)
    assert as_author.get(response["Location"]).status_code == 200
    assert draft.cases.count() == 8
