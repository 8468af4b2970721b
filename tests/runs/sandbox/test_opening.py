import os
import stat
import subprocess

import pytest

from runs.sandbox.opening import open_up, unlock


def mode_of(path):
    return stat.S_IMODE(path.lstat().st_mode)


def test_folders_and_files_are_opened_for_their_owner_and_nobody_else(tmp_path):
    top = tmp_path / "work"
    (top / "a" / "b").mkdir(parents=True)
    (top / "a" / "b" / "f").write_text("")
    for place in (top / "a" / "b" / "f", top / "a" / "b", top / "a", top):
        place.chmod(0)
    open_up(top)
    assert [oct(mode_of(place)) for place in (top, top / "a", top / "a" / "b", top / "a" / "b" / "f")] == [
        *["0o700"] * 3,
        "0o400",
    ]


def test_nothing_outside_is_opened_through_a_link_or_a_second_name(tmp_path):
    outside, top = tmp_path / "outside", tmp_path / "work"
    for place in (outside, top):
        place.mkdir()
    (outside / "f").write_text("")
    os.link(outside / "f", top / "second")
    (top / "link").symlink_to(outside)
    (outside / "f").chmod(0)
    outside.chmod(0)
    try:
        open_up(top)
        assert mode_of(outside) == 0
    finally:
        outside.chmod(0o700)
    assert mode_of(outside / "f") == 0


def test_pipes_sockets_and_loops_of_links_do_no_harm(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "up").symlink_to("..")
    open_up(tmp_path)
    unlock(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a file immutable")
def test_files_that_even_root_could_not_change_can_be_changed(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "f").write_text("")
    if subprocess.run(["chattr", "-R", "+i", str(tmp_path / "a")], capture_output=True, check=False).returncode:
        pytest.skip("this file system knows no immutable files")
    unlock(tmp_path)
    (tmp_path / "a" / "b" / "f").unlink()
