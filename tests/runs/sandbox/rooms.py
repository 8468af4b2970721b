"""Rooms in which tests can start a Python, and workers that tests kill."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager

from runs.sandbox.contract import Command, Room
from runs.sandbox.slots import base_folder, sweep

# Rather the system's, which every user may run, than one that lies in somebody's home.
PYTHON = next(filter(os.path.exists, ("/usr/bin/python3", "/usr/local/bin/python3")), sys.executable)


# What a worker runs in its sandbox: processes of sessions of their own, each of which tells when it is up.
CROWD = """
import os, time
for number in range(2):
    os.fork()
if os.getppid() > 1:
    try:
        os.setsid()
    except OSError:
        pass
print("up", flush=True)
time.sleep(60)
"""
CROWD_SIZE = 4
WORKER = """
import importlib, sys, tempfile
kind, tempfile.tempdir, python, mark, crowd = sys.argv[1:]
from runs.sandbox.contract import Command, Room
with importlib.import_module(f"runs.sandbox.{kind}").open_workspace(Room(files={"left.txt": b"x"})) as workspace:
    workspace.run(Command([python, "-S", "-c", crowd, mark], on_line=lambda line: print("up", flush=True)))
"""


@contextmanager
def busy_worker(kind, folder, mark):
    """A process that runs a crowd with this mark in a sandbox, all of them up."""
    arguments = [sys.executable, "-c", WORKER, kind, str(folder), PYTHON, mark, CROWD]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE) as worker:
        try:
            for _ in range(CROWD_SIZE):
                assert worker.stdout.readline() == b"up\n"
            yield worker
        finally:
            worker.kill()


def is_swept():
    """Whether no workspace is left here once dead workers' have been removed; their numbers may be in use elsewhere."""
    sweep()
    return not any(entry.name.isdigit() for entry in base_folder().iterdir())


def wait_until(is_so, seconds=240):
    """Long, for busy machines."""
    deadline = time.monotonic() + seconds
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert is_so()


def room(**more):
    return Room(shared_paths=tuple({sys.prefix, sys.base_prefix}), **more)


def python(code, **more):
    return Command([PYTHON, "-S", "-c", code], **more)
