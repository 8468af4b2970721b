import io
from urllib.parse import parse_qs, urlsplit

import pytest

from packs.models import GridChoice, Upload

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
    assert [item["pointer"] for item in looked.context["mapping"]] == ["", "", ""]
    data = {"upload": token, "names": "1", **MAPPING}
    merged = as_author.post(f"{rows_url}table/", data).context["merged"]
    assert (len(merged.added), merged.changed) == (1, 1)
    assert draft.edits.count() == 0
    assert as_author.post(f"{rows_url}table/", {**data, "go": "1"}).status_code == 302
    assert draft.cases.get(key="new").document["eval"] == {"accepted_answers": ["now"]}
    assert draft.cases.get(key="row-1").document["input"] == {"question": "Why?"}
    assert not Upload.objects.exists()
    again = as_author.get(f"{rows_url}table/", {"upload": take(text=TEXT)})
    assert [item["pointer"] for item in again.context["mapping"]] == list(MAPPING.values())
    assert GridChoice.objects.get(user=author).mapping["Frage"] == "/input/question"


def test_a_csv_file_goes_out_and_comes_back(as_author, draft, rows_url, take):
    response = as_author.get(f"{rows_url}csv/", {"q": "metadata.level:hard", "all": "1"})
    data = b"".join(response.streaming_content)
    assert data.decode("utf-8-sig").count("\r\n") == 4
    changed = data.replace(b"van 3?", b"lorry 3?")
    token = take(file=io.BytesIO(changed))
    merged = as_author.get(f"{rows_url}table/", {"upload": token}).context["merged"]
    assert (merged.changed, merged.unchanged, len(merged.added)) == (1, 2, 0)


def test_rows_without_names_are_mapped_by_their_number(as_author, rows_url, take):
    token = take(text="a\tWhy?\nb\tWhen?\n")
    data = {"upload": token, "map:0": "/id", "map:1": "/input/question"}
    response = as_author.post(f"{rows_url}table/", data)
    assert [item["name"] for item in response.context["mapping"]] == ["1", "2"]
    assert [document["id"] for document in response.context["merged"].added] == ["a", "b"]


def test_a_table_waits_for_its_user_only(as_author, as_administrator, rows_url, take):
    token = take(text=TEXT)
    assert as_administrator.get(f"{rows_url}table/", {"upload": token}).status_code == 302
    assert as_author.get(f"{rows_url}table/", {"upload": "none"}).status_code == 302


def test_an_empty_form_says_what_is_missing(as_author, rows_url):
    assert as_author.get(f"{rows_url}table/").status_code == 200
    assert as_author.post(f"{rows_url}table/", {"text": " "}).status_code == 422
