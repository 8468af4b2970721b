import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from packs.access import Role
from packs.jobs import execute_job
from packs.models import Job, Pack
from tests.packs.drafts import draft_of, pack_text
from tests.people import client_of

IMPORT = "packs:import"
CONFIRM = "packs:import-confirm"


def zipped(**files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return data.getvalue()


def folders(**packs):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in packs.items():
            archive.writestr(f"{name}/pack.yaml", content)
    return data.getvalue()


def send(client, team, files=(), **data):
    return client.post(reverse(IMPORT), {"team": team.pk, "files": list(files), **data})


def test_nothing_is_written_before_it_is_confirmed(as_author, team):
    response = send(as_author, team, [SimpleUploadedFile("parcels.yaml", pack_text())])
    assert response.status_code == 200
    assert response.context["preview"].counts["case"] == 3
    assert not Pack.objects.exists()


def test_what_was_looked_at_is_imported(as_author, team):
    preview = send(as_author, team, [SimpleUploadedFile("parcels.yaml", pack_text())]).context["preview"]
    response = as_author.post(reverse(CONFIRM), {"token": preview.token})
    assert response.url == reverse("packs:overview", args=["default", "parcels"])
    assert Pack.objects.get().cases.count() == 3


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_pasted_text_is_as_good_as_a_file(as_author, team, ending):
    response = send(as_author, team, text=pack_text().decode().replace("\n", ending))
    assert response.context["preview"].can_import
    assert not any(finding.is_error for finding in response.context["preview"].findings)


def test_an_archive_is_unpacked(as_author, team):
    response = send(as_author, team, [SimpleUploadedFile("parcels.zip", zipped(pack_yaml=pack_text()))])
    assert response.context["preview"].counts["case"] == 3


def test_a_slug_of_ones_own_makes_another_pack(as_author, team):
    draft_of(team)
    preview = send(as_author, team, text=pack_text().decode(), slug="second").context["preview"]
    assert (preview.is_new, preview.slug) == (True, "second")


def test_a_slug_that_exists_changes_that_draft(as_author, team):
    row = draft_of(team)
    response = send(as_author, team, text=pack_text(cases=4).decode())
    assert response.context["preview"].pack == row
    assert [found["label"] for found in response.context["lists"]] == ["Created"]


def test_unreadable_files_are_refused_with_the_place(as_author, team):
    response = send(as_author, team, text="pack: [\n", format="challenge_pack")
    assert response.status_code == 422
    assert response.context["preview"].token is None
    assert response.context["preview"].refused[0].line > 0


def test_sending_nothing_asks_for_a_file(as_author, team):
    response = send(as_author, team)
    assert response.status_code == 422
    assert response.context["form"].has_error("__all__")


def test_a_token_works_once_and_for_its_user_only(members, team):
    as_author = client_of(members[Role.AUTHOR])
    token = send(as_author, team, text=pack_text().decode()).context["preview"].token
    curator = client_of(members[Role.CURATOR])
    assert curator.post(reverse(CONFIRM), {"token": token}).status_code == 409
    assert as_author.post(reverse(CONFIRM), {"token": token}).status_code == 302
    assert as_author.post(reverse(CONFIRM), {"token": token}).status_code == 409
    assert as_author.post(reverse(CONFIRM), {"token": "no such"}).status_code == 409


def test_only_authors_import_and_only_into_their_teams(members, as_stranger, team):
    assert client_of(members[Role.VIEWER]).get(reverse(IMPORT)).status_code == 403
    assert send(as_stranger, team, text=pack_text().decode()).context["form"].has_error("team")


@pytest.mark.parametrize("limit", [10_000, 1])
def test_pasted_text_beside_a_file_of_its_name_is_not_left_out_without_a_word(as_author, team, monkeypatch, limit):
    monkeypatch.setattr("packs.formats.costs.MAX_VALUES", limit)
    response = send(as_author, team, [SimpleUploadedFile("pack.yaml", pack_text())], text="pack: {slug: other}")
    if response.status_code == 302:
        execute_job(Job.objects.get().pk)
        response = as_author.get(response.url)
    assert "files.E015" in str(response.context["preview"].refused)
    assert response.context["preview"].token in (None, "")


def test_of_several_packs_one_is_chosen(as_author, team):
    with_both = folders(first=pack_text(1), second=pack_text(2))
    shown = send(as_author, team, [SimpleUploadedFile("both.zip", with_both)])
    assert shown.context["preview"].choices == [("first", "Challenge pack"), ("second", "Challenge pack")]
    assert "Which pack?" in shown.content.decode()
    chosen = as_author.post(reverse(IMPORT), {"token": shown.context["preview"].token, "pack": "second"})
    assert chosen.context["preview"].counts["case"] == 2
    as_author.post(reverse(CONFIRM), {"token": chosen.context["preview"].token})
    assert Pack.objects.get().cases.count() == 2


def test_several_packs_cannot_be_confirmed_without_a_choice(as_author, team):
    shown = send(as_author, team, [SimpleUploadedFile("both.zip", folders(first=pack_text(1), second=pack_text(2)))])
    assert as_author.post(reverse(CONFIRM), {"token": shown.context["preview"].token}).status_code == 409
    assert as_author.post(reverse(IMPORT), {"token": "gone", "pack": "first"}).status_code == 409
    assert not Pack.objects.exists()


@pytest.mark.parametrize(
    ("name", "data"), [("rows.csv", b"question,answer\nWhere?,Here\n"), ("rows.json", b'[{"question": "Where?"}]')]
)
def test_a_table_goes_on_to_its_columns(as_author, team, name, data):
    response = send(as_author, team, [SimpleUploadedFile(name, data)])
    page = as_author.get(response.url)
    assert "is a table" in page.text
    assert "Where?" in page.text


def test_a_file_of_rows_without_any_is_no_table(as_author, team):
    assert send(as_author, team, [SimpleUploadedFile("rows.csv", b"")]).status_code == 422
