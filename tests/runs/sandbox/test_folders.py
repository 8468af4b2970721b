import os
import stat

import pytest

from runs.sandbox.contract import Limits, PathRefused, Room, WorkspaceFull
from runs.sandbox.folders import Folder


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "work").mkdir()
    room = Room(files={"a.txt": b"one", "lib/b.txt": b"two", "kept.txt": b"k"}, read_only=frozenset({"kept.txt"}))
    found = Folder(tmp_path / "work", room)
    found.fill()
    return found


def test_changes_are_told_by_content_and_mode_and_links_are_not_followed(folder):
    before = folder.snapshot()
    folder.write_file("new/c.txt", b"3")
    folder.write_file("a.txt", b"ONE")
    folder.write_file("lib/b.txt", b"two", executable=True)
    (folder.root / "link").symlink_to("/etc/passwd")
    folder.delete("missing")
    changes = folder.changes(before)
    assert (changes.added, changes.changed, changes.removed) == (("link", "new/c.txt"), ("a.txt", "lib/b.txt"), ())
    state = folder.snapshot()["link"]
    assert (state.size, stat.S_ISLNK(state.mode)) == (len("/etc/passwd"), True)


def test_a_file_with_a_name_outside_is_neither_read_nor_hashed(folder, tmp_path):
    (tmp_path / "secret").write_bytes(b"s3cret")
    os.link(tmp_path / "secret", folder.root / "stolen")
    os.link(folder.root / "a.txt", folder.root / "second")
    assert folder.read_file("stolen", 100) is None
    assert folder.snapshot()["stolen"].digest == ""
    assert folder.read_file("second", 100).content == b"one"


def test_nothing_is_written_or_removed_through_a_link_that_leads_out(folder, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "f").write_bytes(b"1")
    (folder.root / "out").symlink_to(tmp_path / "outside")
    (folder.root / "name").symlink_to(tmp_path / "outside" / "f")
    (folder.root / "dead").symlink_to("nowhere")
    for path in ("out/f", "out/new/f", "name", "dead"):
        with pytest.raises(PathRefused):
            folder.write_file(path, b"2")
    assert folder.delete("out/f") is False
    assert folder.delete("out") is True
    assert (tmp_path / "outside" / "f").read_bytes() == b"1"


def test_writing_replaces_a_name_and_not_the_other_names_of_the_file(folder, tmp_path):
    (tmp_path / "secret").write_bytes(b"s3cret")
    os.link(tmp_path / "secret", folder.root / "stolen")
    folder.write_file("stolen", b"mine")
    assert (tmp_path / "secret").read_bytes() == b"s3cret"


def test_read_only_files_stay_as_they_are(folder):
    for path in ("kept.txt", "./kept.txt", "/workspace/kept.txt"):
        with pytest.raises(PathRefused):
            folder.write_file(path, b"x")
        with pytest.raises(PathRefused):
            folder.delete(path)


def test_the_working_directory_stays_and_directories_go_with_all_that_is_in_them(folder):
    folder.make_directory("lib/deep/er")
    folder.make_directory("lib/deep")
    with pytest.raises(PathRefused):
        folder.make_directory("a.txt/x")
    with pytest.raises(PathRefused):
        folder.delete(".")
    assert folder.delete("lib") is True
    assert [entry.path for entry in folder.list_directory(".", recursive=True)] == ["a.txt", "kept.txt"]


def test_what_does_not_fit_is_refused(tmp_path):
    room = Room(files={"a": b"x" * 100}, limits=Limits(disk_bytes=10_000, file_bytes=5000))
    folder = Folder(tmp_path, room)
    folder.fill()
    with pytest.raises(WorkspaceFull):
        folder.write_file("b", b"x" * 5001)
    folder.write_file("b", b"x" * 5000)
    with pytest.raises(WorkspaceFull):
        folder.write_file("c", b"x" * 5000)
    with pytest.raises(WorkspaceFull):
        Folder(tmp_path, Room(files={"a": b"xx"}, limits=Limits(disk_bytes=1))).fill()


def test_files_with_huge_holes_are_not_hashed_without_end(folder):
    with (folder.root / "holes").open("wb") as opened:
        opened.truncate(10 * folder.room.limits.disk_bytes)
    with pytest.raises(WorkspaceFull):
        folder.snapshot()


def test_names_that_are_no_text_are_shown_and_do_no_harm(folder):
    (folder.root / os.fsdecode(b"caf\xe9")).write_bytes(b"")
    assert "caf\ufffd" in folder.snapshot()
    assert "caf\ufffd" in [entry.path for entry in folder.list_directory(".", recursive=False)]
