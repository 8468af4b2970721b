import os

from runs.sandbox.removal import remove_folder
from runs.sandbox.walking import shown, used_in, walk


def test_everything_below_is_found_and_no_link_is_followed(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "f").write_text("x")
    (tmp_path / "loop").symlink_to(".")
    assert {found.name for found in walk(tmp_path)} == {"a", "a/b", "a/b/f", "loop"}
    assert {found.name for found in walk(tmp_path, recursive=False)} == {"a", "loop"}


def test_folders_nested_deeper_than_a_path_may_be_long_do_no_harm(tmp_path):
    top = tmp_path / "work"
    top.mkdir()
    deep = os.open(top, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("dd", dir_fd=deep)
        below = os.open("dd", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = below
    os.close(deep)
    found = sum(1 for _ in walk(top))
    remove_folder(top)
    assert 1000 < found <= 3000


def test_holes_take_up_nothing(tmp_path):
    with (tmp_path / "sparse").open("wb") as opened:
        opened.truncate(2**40)
    size, count = used_in(tmp_path)
    assert (size < 2**20, count) == (True, 1)


def test_names_that_are_no_text_are_shown_with_signs_of_replacement():
    assert shown(os.fsdecode(b"a\xff\nb")) == "a\ufffd\nb"
