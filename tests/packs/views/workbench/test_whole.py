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


def test_what_others_changed_since_stays_beside_what_the_text_changes(as_author, draft, text, case, someone_else):
    seen = draft.revision
    someone_else(case, "/inputs/0/value", "theirs")
    changed = text.replace("name: Parcels\n", "name: Parcel desk\n")
    assert as_author.post(URL, {"text": changed, "seen": seen}).status_code == 302
    case.refresh_from_db()
    draft.refresh_from_db()
    assert (case.document["inputs"][0]["value"], draft.document["pack"]["name"]) == ("theirs", "Parcel desk")
    assert draft.edits.values("revision").distinct().count() == 2


@pytest.mark.parametrize(("side", "kept"), [("ours", "theirs"), ("theirs", "mine")])
def test_where_both_changed_the_same_nothing_is_written_until_one_is_chosen(
    as_author, draft, text, case, someone_else, side, kept
):
    seen = draft.revision
    someone_else(case, "/expectations/0/value", "theirs")
    changed = text.replace("Hub case-0", "mine").replace("name: Parcels\n", "name: Parcel desk\n")
    response = as_author.post(URL, {"text": changed, "seen": seen})
    assert response.status_code == 409
    (conflict,) = response.context["conflicts"]
    assert (conflict["ours"], conflict["theirs"], conflict["before"]) == ("theirs", "mine", "Hub case-0")
    assert conflict["ours_by"] == draft.edits.get().author.username
    assert (response.context["text"], seen_of(response)) == (changed, str(seen))
    data = {"text": changed, "seen": seen, "decided": conflict["name"], f"side:{conflict['name']}": side}
    assert as_author.post(URL, data).status_code == 302
    case.refresh_from_db()
    draft.refresh_from_db()
    assert (case.document["expectations"][0]["value"], draft.document["pack"]["name"]) == (kept, "Parcel desk")


@pytest.mark.parametrize("seen", ["", "x", "99999"])
def test_a_text_of_no_known_revision_is_kept_on_screen_and_not_written(as_author, draft, text, seen):
    response = as_author.post(URL, {"text": "pack: {}\n", "seen": seen})
    assert response.status_code == 409
    assert response.context["text"] == "pack: {}\n"
    assert not Edit.objects.exists()


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
