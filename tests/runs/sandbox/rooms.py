"""Rooms in which tests can start a Python."""

import os
import sys

from runs.sandbox.contract import Command, Room

# Rather the system's, which every user may run, than one that lies in somebody's home.
PYTHON = next(filter(os.path.exists, ("/usr/bin/python3", "/usr/local/bin/python3")), sys.executable)


def room(**more):
    return Room(shared_paths=tuple({sys.prefix, sys.base_prefix}), **more)


def python(code, **more):
    return Command([PYTHON, "-S", "-c", code], **more)
