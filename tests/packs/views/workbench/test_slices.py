import pytest
from django.urls import reverse

from packs.models import Job
from packs.views.workbench import slices
from tests.packs.drafts import draft_of
from tests.packs.suites import draft_of_suite

URL = reverse("packs:edit-slices", args=["default", "widgets"])
RENAME = reverse("packs:edit-slices-rename", args=["default", "widgets"])
ROW = "/metadata/source_row"


@pytest.fixture
def draft(team, author):
    return draft_of_suite(team, author)


def test_every_count_leads_to_a_table_of_just_its_cases(as_author, draft):
    table = as_author.get(URL, {"row": ROW, "column": "/metadata/source_file"}).context["table"]
    for line in table["lines"]:
        for cell in line["cells"]:
            for part in cell["parts"]:
                assert len(as_author.get(part["url"]).context["lines"]) == part["count"]
    assert (table["total"], [line["text"] for line in table["lines"]]) == (2, ["41", ""])


def test_keys_are_found_by_their_name_and_by_their_values(as_author, draft):
    found = {
        words: [each["use"].name for each in as_author.get(URL, {"q": words}).context["found"]]
        for words in ("PATCH", "csv", "nothing")
    }
    assert found == {"PATCH": ["test_patch"], "csv": ["source_file"], "nothing": []}


def test_a_key_that_no_case_has_counts_by_another_one(as_author, draft):
    assert as_author.get(URL, {"row": "/metadata/x", "column": "/id", "set": "0"}).context["row"].name == "source_file"


def test_a_value_too_long_for_an_address_has_no_link(draft):
    assert slices.grid_url(draft, 1, {ROW: "x" * 2000}) == ""


def test_renaming_is_looked_at_first_and_then_made(as_author, draft):
    shown = as_author.post(RENAME, {"key": ROW, "name": "line"})
    assert len(shown.context["found"].changes) == 1
    assert as_author.post(RENAME, {"key": ROW, "name": "line", "go": "1"}).status_code == 302
    assert "line" in draft.cases.get(key="first").document["metadata"]


def test_renaming_in_many_cases_is_a_job(as_author, draft, monkeypatch):
    monkeypatch.setattr(slices, "MANY", 0)
    as_author.post(RENAME, {"key": ROW, "name": "line", "go": "1"})
    assert Job.objects.get().parameters == {"steps": ["source_row"], "name": "line"}


@pytest.mark.parametrize("data", [{"key": "/metadata/x", "name": "y"}, {"key": ROW, "name": " "}])
def test_a_renaming_that_makes_no_sense_changes_nothing(as_author, draft, data):
    assert as_author.post(RENAME, {**data, "go": "1"}).status_code == 302
    assert "source_row" in draft.cases.get(key="first").document["metadata"]


def test_a_format_without_metadata_says_so(as_author, team):
    draft_of(team)
    page = as_author.get(reverse("packs:edit-slices", args=["default", "parcels"]))
    assert page.context["has_metadata"] is False
