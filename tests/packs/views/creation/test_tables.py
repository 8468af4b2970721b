import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from packs.access import Role
from packs.formats import FORMATS
from packs.jobs import execute_job
from packs.models import Job, Pack, Upload
from packs.views.creation import tables
from tests.people import client_of, make_member

URL = "/packs/new/table/"
CELLS = "Nummer\tFrage\tAntwort\np_1\tWhere is PX-1?\tLeeds\np_2\tWhere is PX-2?\tYork\n"


def take(client, **data):
    """Send a table; gives its token."""
    response = client.post(URL, data)
    assert response.status_code == 302
    return response["Location"].partition("upload=")[2]


def shown(page):
    """What the page would send when its button is pressed."""
    mapping = {item["field"]: item["target"] for item in page.context["mapping"]}
    recipe = page.context["recipe"]
    return {"title": "Parcels", "format": recipe.format, "mapped": recipe.format, "check": recipe.check, **mapping}


@pytest.mark.parametrize("name", list(FORMATS))
def test_pasted_cells_become_a_pack_of_any_format(as_author, name):
    token = take(as_author, text=CELLS)
    first = as_author.get(URL, {"upload": token})
    page = as_author.post(URL, {"upload": token, "names": "1", **shown(first), "format": name})
    assert page.context["recipe"].format == name
    assert page.context["report"]["added"] == 2
    assert [row["cells"][1] for row in page.context["rows"]] == ["Where is PX-1?", "Where is PX-2?"]
    assert not Pack.objects.exists()
    response = as_author.post(URL, {"upload": token, "names": "1", **shown(page), "go": "1"})
    pack = Pack.objects.get()
    assert (pack.slug, pack.title, pack.format, pack.problem_errors) == ("parcels", "Parcels", name, 0)
    assert response["Location"].startswith("/packs/default/parcels/edit/cases/")
    assert not Upload.objects.exists()


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_name_that_is_still_to_come_is_no_trouble(as_author, name, monkeypatch):
    token = take(as_author, text=CELLS)
    first = as_author.get(URL, {"upload": token})
    asked = {"upload": token, "names": "1", **shown(first), "format": name, "title": ""}
    report = as_author.post(URL, asked).context["report"]
    assert report["others"] == []
    monkeypatch.setattr(tables, "MANY_CASES", 1)
    as_author.post(URL, {**asked, "look": "1"})
    job = Job.objects.get()
    execute_job(job.pk)
    job.refresh_from_db()
    assert job.outcome["others"] == []


def test_a_file_gives_the_pack_its_name_and_rows_of_a_format_choose_it(as_author):
    rows = [{"task_id": "a_1", "inputs": {"user_message": "Why?"}, "graders": [], "description": "x"}]
    page = as_author.get(URL, {"upload": take(as_author, file=named(json.dumps(rows), "night shift.json"))})
    assert (page.context["recipe"].title, page.context["recipe"].format) == ("night shift", "task_suite")
    assert "The first line holds names" not in page.content.decode()


def named(text, name):
    file = io.BytesIO(text.encode())
    file.name = name
    return file


def test_bad_rows_are_named_and_nothing_is_written(as_author):
    token = take(as_author, text="question,answer\na?,x\nb?,\n")
    page = as_author.get(URL, {"upload": token})
    assert "Line 3" in page.content.decode()
    assert page.context["is_refused"]
    refused = as_author.post(URL, {"upload": token, "names": "1", **shown(page), "errors": "1", "go": "1"})
    assert refused.status_code == 422
    assert not Pack.objects.exists()
    assert Upload.objects.exists()


def test_a_slug_that_is_taken_is_said(as_author):
    for _ in range(2):
        token = take(as_author, text=CELLS)
        page = as_author.get(URL, {"upload": token})
        sent = {**shown(page), "slug": "parcels"}
        response = as_author.post(URL, {"upload": token, "names": "1", **sent, "go": "1"})
    assert response.status_code == 422
    assert "parcels" in response.context["problem"]
    assert Pack.objects.count() == 1


def test_what_does_not_stand_on_the_page_is_no_target(as_author):
    token = take(as_author, text=CELLS)
    sent = shown(as_author.get(URL, {"upload": token})) | {"map:1": "nonsense", "check": "nonsense"}
    page = as_author.post(URL, {"upload": token, "names": "1", **sent})
    assert page.context["mapping"][1]["target"] == ""
    assert page.context["recipe"].check == "contains"


def test_a_long_table_is_looked_at_and_made_by_jobs(as_author, monkeypatch):
    monkeypatch.setattr(tables, "MANY_CASES", 1)
    token = take(as_author, text=CELLS)
    page = as_author.get(URL, {"upload": token})
    assert page.context["report"] is None
    assert len(page.context["rows"]) == 2
    sent = {"upload": token, "names": "1", **shown(page)}
    job_page = as_author.post(URL, {**sent, "look": "1"})["Location"]
    execute_job(Job.objects.get().pk)
    looked = as_author.get(job_page, follow=True)
    assert looked.context["report"]["added"] == 2
    assert looked.context["recipe"].title == "Parcels"
    assert not Pack.objects.exists()
    made = as_author.post(URL, {**sent, "go": "1"})["Location"]
    job = Job.objects.get(kind="table-pack")
    execute_job(job.pk)
    pack = Pack.objects.get()
    assert (pack.slug, pack.status, pack.cases.count(), pack.problem_errors) == ("parcels", "draft", 2, 0)
    assert "2 cases" in as_author.get(made).content.decode()


def test_a_job_refuses_a_table_with_bad_rows(as_author, monkeypatch):
    monkeypatch.setattr(tables, "MANY_CASES", 1)
    token = take(as_author, text="question,answer\na?,x\nb?,\n")
    sent = shown(as_author.get(URL, {"upload": token}))
    as_author.post(URL, {"upload": token, "names": "1", **sent, "go": "1"})
    job = Job.objects.get()
    execute_job(job.pk)
    job.refresh_from_db()
    assert (job.status, [item["line"] for item in job.outcome["findings"]]) == ("refused", [3])
    assert not Pack.objects.exists()


def test_a_table_waits_for_its_user_only_and_viewers_have_none(as_author, as_administrator, team):
    token = take(as_author, text=CELLS)
    viewer = client_of(make_member(team, Role.VIEWER))
    assert as_administrator.get(URL, {"upload": token}).status_code == 302
    assert viewer.get(URL).status_code == 403
    assert as_author.get(URL, {"upload": "none"}).status_code == 302


def test_an_empty_form_says_what_is_missing(as_author):
    assert reverse("packs:new-table") == URL
    assert as_author.get(URL).status_code == 200
    assert "Paste cells" in as_author.post(URL, {"text": " "}).content.decode()


def test_what_is_no_table_is_refused_and_stays_in_the_form(as_author):
    refused = as_author.post(URL, {"text": '["Where is PX-1?"]'})
    assert refused.status_code == 422
    assert "not objects" in refused.context["problem"]
    assert "PX-1?" in refused.content.decode().partition("</textarea>")[0]
    assert not Upload.objects.exists()


def test_a_table_in_another_encoding_says_so(as_author):
    file = SimpleUploadedFile("ferries.csv", "Frage,Antwort\nWo?,Köln\n".encode("cp1252"))
    page = as_author.get(as_author.post(URL, {"file": file}).headers["Location"])
    assert "Windows-1252" in page.content.decode()
    assert "Köln" in page.content.decode()
