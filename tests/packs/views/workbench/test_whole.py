import json
import re

import pytest

from packs.models import Edit

URL = "/packs/default/parcels/edit/yaml/"


@pytest.fixture
def text(as_author, draft):
    return as_author.get(URL).context["text"]


def seen_of(response):
    """The revision that a page would send."""
    return re.search(r'name="seen" value="(\d+)"', response.content.decode())[1]


def test_the_text_of_the_whole_pack_becomes_the_draft_as_edits(as_author, draft, text, case):
    changed = text.replace("Hub case-0", "Leeds").replace("name: Parcels\n", "name: Parcel desk\n")
    assert as_author.post(URL, {"text": changed, "seen": draft.revision}).status_code == 302
    case.refresh_from_db()
    draft.refresh_from_db()
    assert case.document["expectations"][0]["value"] == "Leeds"
    assert draft.document["pack"]["name"] == "Parcel desk"
    assert Edit.objects.filter(kind="case").count() == 1


def test_untouched_text_changes_nothing(as_author, draft, text):
    as_author.post(URL, {"text": text, "seen": draft.revision})
    assert not Edit.objects.exists()


def test_broken_text_stays_on_screen_with_its_place(as_author, draft, text):
    response = as_author.post(URL, {"text": f"{text}x: [", "seen": draft.revision})
    assert response.status_code == 422
    assert response.context["text"] == f"{text}x: ["
    assert response.context["findings"][0]["line"]


def test_text_of_an_older_revision_is_kept_on_screen_and_not_written(as_author, draft, text, case, someone_else):
    seen = draft.revision
    someone_else(case, "/inputs/0/value", "theirs")
    response = as_author.post(URL, {"text": text, "seen": seen})
    assert response.status_code == 409
    assert response.context["text"] == text
    assert as_author.post(URL, {"text": text, "seen": seen_of(response)}).status_code == 409
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "theirs"


def test_the_lint_gives_every_finding_its_line(as_author, text):
    found = as_author.post(f"{URL}lint/", {"text": text.replace("difficulty: easy", "difficulty: odd")})
    wrong = [item for item in json.loads(found.content)["findings"] if item["severity"] == "error"]
    assert [text.splitlines()[item["line"] - 1].strip() for item in wrong] == ["difficulty: easy"]


def test_a_text_with_hardly_anything_in_it_is_checked_and_written_as_any_other(as_author, draft):
    found = as_author.post(f"{URL}lint/", {"text": "pack: {}\n"})
    assert any(item["severity"] == "error" for item in json.loads(found.content)["findings"])
    assert as_author.post(URL, {"text": "pack: {}\n", "seen": draft.revision}).status_code == 302
    assert as_author.get(URL).status_code == 200


def test_a_viewer_reads_the_text_and_cannot_write_it(as_viewer, as_stranger, draft):
    assert as_viewer.get(URL).status_code == 200
    assert as_viewer.post(URL, {"text": "", "seen": draft.revision}).status_code == 403
    assert as_stranger.get(URL).status_code == 404
