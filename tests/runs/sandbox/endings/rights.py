"""Endings that take rights away, or leave names and trees that are hard to look at."""

import fcntl
import os

from tests.runs.sandbox.endings.tricks import LIES, PASSING, attempt, ending, everything, put


@ending
def closed_folder():
    os.chmod(".", 0)


@ending
def closed_tests():
    for path in everything("tests", up=True):
        os.chmod(path, 0)


@ending
def closed_everything():
    for path in everything(up=True):
        os.chmod(path, 0)


@ending
def nothing_may_be_entered():
    for path in everything(up=True):
        os.chmod(path, 0o600)


@ending
def programs_of_another_user():
    for path in everything():
        os.chmod(path, 0o6777)


@ending
def immutable():
    for path in everything(up=True):
        handle = attempt(os.open, path, os.O_RDONLY)
        if handle is not None:
            attempt(fcntl.ioctl, handle, 0x40086602, (0x30).to_bytes(8, "little"))
            os.close(handle)


@ending
def rights_in_lists():
    entries = [(0x01, 4, 0xFFFFFFFF), (0x04, 0, 0xFFFFFFFF), (0x20, 7, 0xFFFFFFFF)]
    told = b"".join(
        tag.to_bytes(2, "little") + right.to_bytes(2, "little") + who.to_bytes(4, "little")
        for tag, right, who in entries
    )
    for path in everything(up=True):
        attempt(os.setxattr, path, "user.note", LIES[0].encode())
        attempt(os.setxattr, path, "system.posix_acl_access", b"\2\0\0\0" + told)


def descend(names, *, closed=False):
    """Folders in folders by handles, so that their paths may be longer than any path."""
    handle = os.open(".", os.O_RDONLY)
    for name in names:
        if attempt(os.mkdir, name, dir_fd=handle) is None and not os.path.isdir(f"/proc/self/fd/{handle}/{name}"):
            break
        below = os.open(name, os.O_RDONLY, dir_fd=handle)
        if closed:
            os.fchmod(handle, 0)
        os.close(handle)
        handle = below
    os.close(handle)


@ending
def deeper_than_any_path():
    descend(["d" * 20] * 1500)


@ending
def deep_and_closed():
    descend(["d"] * 400, closed=True)


@ending
def as_long_as_a_path_may_be():
    # Near the end of what a path takes, wherever the workspace lies.
    descend(["n" * 200] * 19 + ["n"] * 140)


@ending
def many_names():
    os.mkdir("many")
    for number in range(10_200):
        os.close(os.open(f"many/{number}", os.O_CREAT | os.O_WRONLY))


@ending
def many_tests():
    for number in range(200):
        put(f"tests/test_{number}.py", PASSING)


@ending
def names_that_are_no_text():
    names = (
        b"\xff",
        b"\xff" * 255,
        b"a\nb",
        b"\x1b[31m",
        b"tests/\xff.py",
        b"-rf",
        b"; echo 5 passed",
        b"*",
        b"\xed\xa0\x80",
    )
    for name in names:
        attempt(lambda name=name: os.close(os.open(name, os.O_CREAT | os.O_WRONLY)))
        attempt(os.mkdir, name + b".d")
        attempt(lambda name=name: os.close(os.open(name + b".d/conftest.py", os.O_CREAT | os.O_WRONLY)))


@ending
def times_beyond_measure():
    for path in everything():
        attempt(os.utime, path, (2**33, 2**33))
        attempt(os.utime, path, (-(2**31), -(2**31)))
