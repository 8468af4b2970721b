"""The files of a pack on one page, and which rows use which of them."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from packs import blobs
from packs.editing import Change, apply, undo
from packs.formats.document import NodeKind
from packs.importing import import_pack

ROWS = (
    {
        "id": "t/1",
        "family": "terminal_task",
        "input": {"instructions": "Count."},
        "assets": [{"path": "data"}, {"path": "note.txt"}],
        "eval": {"checker": {"command": "sh run"}, "run_tests": {"path": "run.sh"}},
        "environment": {"image": "alpine"},
    },
    {"id": "s/1", "family": "short_answer", "input": {"question": "note.txt?"}, "eval": {"accepted_answers": ["y"]}},
)


@pytest.fixture
def quiz(team, author):
    files = {
        "manifest.yaml": b"id: quiz\nversion: 1\nasset_roots: {public: shown/, eval: kept/}\n",
        "tasks.jsonl": b"".join(json.dumps(row).encode() + b"\n" for row in ROWS),
        "shown/data/a.txt": b"a",
        "shown/note.txt": b"n",
        "shown/other.txt": b"o",
        "kept/run.sh": b"true",
    }
    return import_pack(team, author, files, "quiz")


def address(pack):
    return f"/packs/{pack.team.slug}/{pack.slug}/edit/files/"


def rooms(response):
    return {
        (room.root.prefix, room.root.is_hidden): {file["row"].key: file["uses"] for file in room.files}
        for room in response.context["rooms"]
    }


def test_public_and_hidden_files_stand_apart_with_the_rows_that_use_them(as_author, quiz):
    assert rooms(as_author.get(address(quiz))) == {
        ("shown/", False): {"shown/data/a.txt": ["t/1"], "shown/note.txt": ["t/1"], "shown/other.txt": []},
        ("kept/", True): {"kept/run.sh": ["t/1"]},
    }


def drop(client, pack, *names, **more):
    files = [SimpleUploadedFile(name, f"{name} new".encode()) for name in names]
    return client.post(address(pack), {"file": files, **more}, follow=True)


def test_dropped_files_are_added_below_the_root_and_known_ones_replaced(as_author, quiz):
    drop(as_author, quiz, "note.txt", "new.txt", root="shown/")
    drop(as_author, quiz, "check.py", root="kept/", folder="deep/er/")
    bytes_of = {asset.key: blobs.read(asset.blob_id) for asset in quiz.assets.all()}
    assert bytes_of["shown/note.txt"] == b"note.txt new"
    assert bytes_of["shown/new.txt"] == b"new.txt new"
    assert bytes_of["kept/deep/er/check.py"] == b"check.py new"
    assert len(bytes_of) == 6


def test_an_upload_can_be_undone(as_author, author, quiz):
    drop(as_author, quiz, "note.txt", root="shown/")
    undo(quiz, author)
    assert blobs.read(quiz.assets.get(key="shown/note.txt").blob_id) == b"n"


@pytest.mark.parametrize(
    "more", [{"root": "elsewhere/"}, {"root": "shown/", "folder": "../kept"}, {"root": "shown/", "folder": "a\\b"}]
)
def test_files_stay_below_the_roots(as_author, quiz, more):
    drop(as_author, quiz, "new.txt", **more)
    assert quiz.assets.count() == 4


def test_readers_upload_nothing_and_strangers_find_nothing(as_viewer, as_stranger, quiz):
    assert 'class="drop"' not in as_viewer.get(address(quiz)).content.decode()
    assert drop(as_viewer, quiz, "new.txt", root="shown/").status_code == 403
    assert as_stranger.get(address(quiz)).status_code == 404


def test_formats_without_roots_show_all_files_together(as_author, draft):
    drop(as_author, draft, "prices.csv", root="", folder="files")
    asset = draft.assets.get()
    assert (asset.path, blobs.read(asset.blob_id)) == ("files/prices.csv", b"prices.csv new")
    assert list(rooms(as_author.get(address(draft)))) == [("", False)]


def test_rows_follow_a_file_to_its_new_path(quiz, author):
    asset = quiz.assets.get(key="kept/run.sh")
    change = Change(NodeKind.ASSET, asset.pk, "/path", "kept/tests/check.sh")
    apply(quiz, [change], author)
    assert quiz.cases.get(key="t/1").document["eval"]["run_tests"] == {"path": "tests/check.sh"}


def test_the_page_of_a_file_says_who_may_see_it(as_author, quiz):
    for key, is_hidden in (("kept/run.sh", True), ("shown/note.txt", False)):
        asset = quiz.assets.get(key=key)
        shown = as_author.get(f"/packs/{quiz.team.slug}/{quiz.slug}/edit/assets/{asset.pk}/")
        assert shown.context["root"].is_hidden is is_hidden
        assert ("root--hidden" in shown.content.decode()) is is_hidden


def test_a_dropped_file_is_named_after_itself_where_files_have_keys_of_their_own(as_author, draft):
    drop(as_author, draft, "Price List.csv", "hubs.png")
    drop(as_author, draft, "Price List.csv", folder="old")
    assert {(row.key, row.path, row.document["media_type"]) for row in draft.assets.all()} >= {
        ("price-list", "Price List.csv", "text/csv"),
        ("hubs", "hubs.png", "image/png"),
        ("price-list-2", "old/Price List.csv", "text/csv"),
    }
    drop(as_author, draft, "hubs.png")
    assert draft.assets.filter(key__startswith="hubs").count() == 1
