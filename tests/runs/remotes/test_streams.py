"""What git answers, and what it is told, against git itself."""

import subprocess

import pytest

from packs.remotes import Signature
from runs.remotes.streams import commit, contents, entries, within

BY = Signature("A <b>\nc", "a@example.org>\n", "one\n\ntwo\n")


@pytest.fixture
def git(tmp_path):
    def run(*arguments, stdin=b""):
        return subprocess.run(["git", "-C", tmp_path, *arguments], input=stdin, capture_output=True, check=True).stdout

    run("init", "--quiet", "--bare")
    return run


ODD = {'a "b"\\c.txt': b"1\n\n2", "é/ä.bin": bytes(range(256)), "new\nline": b"", "plain": b"blob 3\nabc"}


def test_odd_names_and_bytes_come_back_as_they_went(git):
    git("fast-import", "--quiet", "--done", stdin=commit("", "x", ODD, {"plain": "100755"}, BY, 0))
    found = within("", list(entries(git("ls-tree", "-r", "-z", "-l", "x"))))
    assert found["plain"].mode == "100755"
    asked = "".join(f"{entry.name}\n" for entry in found.values()).encode()
    read = contents(git("cat-file", "--batch", stdin=asked), len(found))
    assert dict(zip(found, read, strict=True)) == ODD
    assert git("log", "-1", "--format=%an <%ae> %at %cn%n%B", "x").decode() == (
        "A b c <a@example.org> 0 Packwright\none\n\ntwo\n\n"
    )


def test_a_file_can_become_a_folder_and_a_folder_a_file(git):
    git("fast-import", "--quiet", "--done", stdin=commit("", "x", {"a": b"1", "b/c": b"2", "d": b"3"}, {}, BY, 0))
    base = git("rev-parse", "x").decode().strip()
    changes = {"a": None, "a/e": b"4", "b/c": None, "b": b"5"}
    git("fast-import", "--quiet", "--done", stdin=commit(base, "x", changes, {}, BY, 1))
    assert git("ls-tree", "-r", "--name-only", "x").decode().split() == ["a/e", "b", "d"]
    assert list(within("a", list(entries(git("ls-tree", "-r", "-z", "-l", "x"))))) == ["e"]
