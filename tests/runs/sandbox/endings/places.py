"""Endings that put other things in the place of files, of folders and of the workspace itself."""

import os
import signal
import socket
import stat
import time

from tests.runs.sandbox.endings.tricks import GRADED, SHELL, attempt, ending, forged, gone, put


@ending
def loops_of_links():
    for path in GRADED:
        gone(path)
        os.symlink(os.path.basename(path), path)


@ending
def loops_of_folders():
    gone("tests")
    os.symlink("tests2", "tests")
    os.symlink("tests", "tests2")
    os.symlink(".", "self")


@ending
def links_to_forged_files():
    for path in GRADED:
        gone(path)
        put(f"forged/{os.path.basename(path)}", forged(path))
        os.symlink(os.path.abspath(f"forged/{os.path.basename(path)}"), path)


@ending
def hard_links_to_forged_files():
    for path in GRADED:
        gone(path)
        put(f"forged/{os.path.basename(path)}", forged(path))
        os.link(f"forged/{os.path.basename(path)}", path)


@ending
def a_forged_folder_behind_a_link():
    for path in GRADED[1:]:
        put(path.replace("tests", "forged"), forged(path))
    gone("tests")
    os.symlink("forged", "tests")


@ending
def links_that_lead_out():
    for path in GRADED:
        gone(path)
        os.symlink("/etc/passwd", path)


@ending
def a_folder_that_leads_out():
    gone("tests")
    os.symlink("/etc", "tests")


@ending
def pipes():
    for path in GRADED:
        gone(path)
        os.mkfifo(path)


@ending
def a_pipe_for_a_folder():
    gone("tests")
    os.mkfifo("tests")


@ending
def sockets():
    for path in GRADED:
        gone(path)
        attempt(lambda path=path: socket.socket(socket.AF_UNIX).bind(path))


@ending
def devices():
    for path in GRADED:
        gone(path)
        attempt(os.mknod, path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))


@ending
def holes():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for path in GRADED:
        for size in (2**40, 2**33, 2**23):
            if attempt(os.truncate, path, size) is None and os.path.getsize(path) == size:
                break


@ending
def folders_for_files():
    for path in GRADED:
        gone(path)
        put(f"{path}/{os.path.basename(path)}", forged(path))


@ending
def a_file_for_a_folder():
    gone("tests")
    put("tests", SHELL)


@ending
def no_place_left():
    gone("tests")
    with open("fill", "wb") as opened:
        try:
            while True:
                opened.write(b"x" * 65536)
                opened.flush()
        except OSError:
            pass


@ending
def the_folder_is_gone():
    top = os.getcwd()
    for name in os.listdir("."):
        gone(name)
    attempt(os.rmdir, top)


@ending
def another_folder_in_its_place():
    top = os.getcwd()
    attempt(os.rename, top, f"{top}-scratch")
    attempt(os.mkdir, top)


@ending
def a_link_in_its_place():
    top = os.getcwd()
    attempt(os.rename, top, f"{top}-scratch")
    attempt(os.symlink, "/etc", top)


def stay(code):
    """Leave a process of a session of its own."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            null = os.open(os.devnull, os.O_RDWR)
            for handle in (0, 1, 2):
                os.dup2(null, handle)
            code()
        os._exit(0)


def rewrite():
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for path in GRADED:
            attempt(put, path, forged(path))
        time.sleep(0.001)


@ending
def somebody_who_goes_on_writing():
    stay(rewrite)
    time.sleep(0.1)
