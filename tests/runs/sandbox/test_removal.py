import os

from runs.sandbox.removal import remove_folder


def test_a_folder_goes_whatever_was_made_in_it(tmp_path):
    top = tmp_path / "work"
    (top / "closed").mkdir(parents=True)
    (top / "closed" / "f").write_text("")
    (top / "closed").chmod(0)
    deep = os.open(top, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=deep)
        below = os.open("d", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = below
    os.close(deep)
    remove_folder(top)
    assert not top.exists()


def test_of_a_link_in_place_of_the_folder_only_the_link_goes(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir(mode=0o500)
    top = tmp_path / "work"
    top.symlink_to(kept)
    remove_folder(top)
    assert (top.is_symlink(), oct(kept.stat().st_mode)) == (False, "0o40500")
