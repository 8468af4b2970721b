import io
from urllib.parse import parse_qs, urlsplit

import pytest

from packs.jobs import execute_job
from packs.models import GridChoice, Job, Upload
from packs.views.shared import tables as shared
from packs.views.workbench.grid import tables

TEXT = "Nummer\tFrage\tAntwort\nrow-1\tWhy?\t1 parcels\nnew\tWhen?\tnow\n"
MAPPING = {"map:0": "/id", "map:1": "/input/question", "map:2": "/eval/accepted_answers"}


@pytest.fixture
def take(as_author, rows_url):
    """Send a table; gives its token."""

    def send(**data):
        response = as_author.post(f"{rows_url}table/", data)
        assert response.status_code == 302
        return parse_qs(urlsplit(response["Location"]).query)["upload"][0]

    return send


def test_pasted_rows_are_mapped_looked_at_and_taken(as_author, author, draft, rows_url, take):
    token = take(text=TEXT)
    looked = as_author.get(f"{rows_url}table/", {"upload": token})
    assert [item["target"] for item in looked.context["mapping"]] == ["/id", "/input/question", "answer"]
    data = {"upload": token, "names": "1", **MAPPING}
    report = as_author.post(f"{rows_url}table/", data).context["report"]
    assert (report["added"], report["changed"]) == (1, 1)
    assert draft.edits.count() == 0
    assert as_author.post(f"{rows_url}table/", {**data, "go": "1"}).status_code == 302
    assert draft.cases.get(key="new").document["eval"] == {"accepted_answers": ["now"]}
    assert draft.cases.get(key="row-1").document["input"] == {"question": "Why?"}
    assert not Upload.objects.exists()
    again = as_author.get(f"{rows_url}table/", {"upload": take(text=TEXT)})
    assert [item["target"] for item in again.context["mapping"]] == list(MAPPING.values())
    assert GridChoice.objects.get(user=author).mapping["Frage"] == "/input/question"


def test_a_csv_file_goes_out_and_comes_back(as_author, draft, rows_url, take):
    response = as_author.get(f"{rows_url}csv/", {"q": "metadata.level:hard", "all": "1"})
    data = b"".join(response.streaming_content)
    assert data.decode("utf-8-sig").count("\r\n") == 4
    changed = data.replace(b"van 3?", b"lorry 3?")
    token = take(file=io.BytesIO(changed))
    report = as_author.get(f"{rows_url}table/", {"upload": token}).context["report"]
    assert (report["changed"], report["unchanged"], report["added"]) == (1, 2, 0)


def test_rows_without_names_are_mapped_by_their_number(as_author, rows_url, take):
    token = take(text="a\tWhy?\nb\tWhen?\n")
    data = {"upload": token, "map:0": "/id", "map:1": "/input/question"}
    response = as_author.post(f"{rows_url}table/", data)
    assert [item["name"] for item in response.context["mapping"]] == ["1", "2"]
    assert response.context["report"]["added"] == 2


def test_a_table_waits_for_its_user_only(as_author, as_administrator, rows_url, take):
    token = take(text=TEXT)
    assert as_administrator.get(f"{rows_url}table/", {"upload": token}).status_code == 302
    assert as_author.get(f"{rows_url}table/", {"upload": "none"}).status_code == 302


def test_an_empty_form_says_what_is_missing(as_author, rows_url):
    assert as_author.get(f"{rows_url}table/").status_code == 200
    assert as_author.post(f"{rows_url}table/", {"text": " "}).status_code == 422


LINES = b"""\
{"id": "row-1", "input": {"question": "Why, so?"}}
{"id": "new", "input": {"question": "When?"}, "eval": {"accepted_answers": ["now", "then"]}, "source": {"page": 3}}
{"id": "broken",
"""


def test_json_lines_are_read_as_such(as_author, draft, rows_url, take):
    token = take(file=io.BytesIO(LINES))
    page = as_author.get(f"{rows_url}table/", {"upload": token})
    assert [item["name"] for item in page.context["mapping"]] == [
        "id",
        "input.question",
        "eval.accepted_answers",
        "source.page",
    ]
    assert "The first line holds names" not in page.content.decode()
    report = page.context["report"]
    assert (report["added"], report["changed"], report["refused"]) == (1, 1, 1)
    assert report["troubles"][0]["line"] == 3
    assert page.context["is_refused"]
    data = {item["field"]: item["target"] for item in page.context["mapping"]}
    as_author.post(f"{rows_url}table/", {"upload": token, "names": "1", "errors": "1", **data, "go": "1"})
    assert draft.edits.count() == 0
    whole = take(file=io.BytesIO(LINES.replace(b'{"id": "broken",\n', b"")))
    as_author.post(f"{rows_url}table/", {"upload": whole, "names": "1", **data, "go": "1"})
    made = draft.cases.get(key="new").document
    assert made["eval"] == {"accepted_answers": ["now", "then"]}
    assert made["source"] == {"page": 3}
    assert draft.cases.get(key="row-1").document["input"] == {"question": "Why, so?"}


def test_a_value_of_json_stands_for_itself_or_for_a_column_and_nothing_else(as_author, rows_url, take):
    data = {"upload": take(file=io.BytesIO(LINES)), "names": "1", "map:3": "/secret"}
    data |= {"map:0": "/id", "map:1": "/input/question", "map:2": "/source/page"}
    mapping = as_author.post(f"{rows_url}table/", data).context["mapping"]
    assert [item["target"] for item in mapping] == ["/id", "/input/question", "", ""]


@pytest.mark.parametrize("limit", ["packs.views.workbench.grid.tables.MANY_CASES", "packs.editing.sizes.MANY_CASES"])
def test_a_large_table_is_checked_by_a_job_before_anything_is_said(
    as_author, draft, rows_url, take, monkeypatch, limit
):
    monkeypatch.setattr(limit, 1)
    token = take(text="Nummer\tFrage\nnew\tWhen?\nempty\t\n")
    page = as_author.get(f"{rows_url}table/", {"upload": token})
    assert page.context["report"] is None
    assert 'name="go"' not in page.content.decode()
    data = {"upload": token, "names": "1", "map:0": "/id", "map:1": "/input/question"}
    assert as_author.post(f"{rows_url}table/", data).context["report"] is None
    job_page = as_author.post(f"{rows_url}table/", {**data, "look": "1"})["Location"]
    execute_job(Job.objects.get().pk)
    looked = as_author.get(job_page, follow=True)
    assert looked.context["report"]["broken_lines"][-1]["line"] == 3
    assert looked.context["report"]["broken"] == 2
    assert [item["target"] for item in looked.context["mapping"]] == ["/id", "/input/question"]
    assert 'name="go"' in looked.content.decode()
    assert draft.cases.count() == 6


def test_of_a_long_table_only_the_beginning_is_read_for_its_page_and_all_by_a_job(
    as_author, draft, rows_url, take, monkeypatch
):
    monkeypatch.setattr(shared, "MAX_READ", 100)
    monkeypatch.setattr(shared, "HEAD", 80)
    first = '{"id": "new", "input": {"question": "When?"}}\n'
    late = '{"id": "late", "input": {"question": "Now?"}, "source": {"page": 3}}\n'
    token = take(file=io.BytesIO((first + late).encode()))
    page = as_author.get(f"{rows_url}table/", {"upload": token})
    assert [item["name"] for item in page.context["mapping"]] == ["id", "input.question"]
    assert "Check all rows" in page.content.decode()
    data = {"upload": token, "names": "1", "map:0": "/id", "map:1": "/input/question"}
    job_page = as_author.post(f"{rows_url}table/", {**data, "look": "1"})["Location"]
    execute_job(Job.objects.get().pk)
    assert as_author.get(job_page, follow=True).context["report"]["added"] == 2
    as_author.post(f"{rows_url}table/", {**data, "go": "1"})
    refused = Job.objects.get(kind="table")
    execute_job(refused.pk)
    refused.refresh_from_db()
    assert (refused.status, [item["line"] for item in refused.outcome["findings"]]) == ("refused", [1, 2])
    assert draft.edits.count() == 0
    as_author.post(f"{rows_url}table/", {**data, "errors": "1", "go": "1"})
    execute_job(Job.objects.filter(kind="table").first().pk)
    assert draft.cases.get(key="late").document["source"] == {"page": 3}


def test_what_a_job_said_of_one_table_is_not_said_of_another(as_author, rows_url, take, monkeypatch):
    monkeypatch.setattr(tables, "MANY_CASES", 1)
    token, other = take(text="id\na\nb\n"), take(text="id\nc\nd\n")
    as_author.post(f"{rows_url}table/", {"upload": token, "names": "1", "map:0": "/id", "look": "1"})
    job = Job.objects.get()
    execute_job(job.pk)
    assert as_author.get(f"{rows_url}table/", {"upload": token, "look": job.pk}).context["report"]
    assert as_author.get(f"{rows_url}table/", {"upload": other, "look": job.pk}).context["report"] is None


def test_a_table_that_changes_nothing_is_not_written(as_author, draft, rows_url, take):
    data = {"upload": take(text="id\nrow-1\n"), "names": "1", "map:0": "/id", "go": "1"}
    assert (
        "No row of the table changes anything."
        in as_author.post(f"{rows_url}table/", data, follow=True).content.decode()
    )
    assert draft.edits.count() == 0


def test_rows_with_errors_come_only_when_their_author_says_so(as_author, draft, rows_url, take):
    data = {"upload": take(text="id,question\nfine,Why?\nempty,\n"), "names": "1", "go": "1"}
    page = as_author.post(f"{rows_url}table/", data, follow=True)
    assert "Nothing was written" in page.content.decode()
    assert draft.cases.count() == 6
    as_author.post(f"{rows_url}table/", {**data, "errors": "1"})
    assert draft.cases.count() == 8


def test_an_empty_file_is_said_to_be_empty(as_author, rows_url):
    page = as_author.post(f"{rows_url}table/", {"file": io.BytesIO(b"")})
    assert page.status_code == 422
    assert "is empty" in page.content.decode()


def test_what_is_no_table_is_refused_and_stays_in_the_form(as_author, rows_url):
    refused = as_author.post(f"{rows_url}table/", {"text": '["Where is PX-1?"]'})
    assert refused.status_code == 422
    assert "PX-1?" in refused.content.decode().partition("</textarea>")[0]


def test_headings_alone_are_said_to_have_no_rows(as_author, rows_url, take):
    page = as_author.get(f"{rows_url}table/", {"upload": take(text="id,question\n")})
    assert "The table has no rows." in page.content.decode()
