"""Hostile endings of a workspace: what an agent that did nothing of its task leaves so that graders pass, or break.

Each is a function that finds the files of `wronged.GIVEN` in its working directory, and claims in the ways that
somebody could listen to that everything passed. `program` makes a Python program of one, which needs nothing else.
"""

import ast
from pathlib import Path

from tests.runs.sandbox.endings import places, rights, runners, tools, tricks, works

ENDINGS = tricks.ENDINGS
# Where nothing confines programs, they stay, and take what the machine has of processes and of room on its disk.
CONFINED = frozenset({"somebody_who_goes_on_writing", "work_that_forks", "no_place_left"})
MODULES = {module.__name__: module for module in (places, rights, runners, tools, works)}


def program(name):
    """The source of a program that ends like this."""
    own = MODULES[ENDINGS[name].__module__]
    return "\n".join([alone(tricks), alone(own), f"{name}()", f"sys.stdout.write({tricks.WRONG!r})"])


def alone(module):
    """The source of a module without what it imports from others here."""
    tree = ast.parse(Path(module.__file__).read_text())
    tree.body = [node for node in tree.body if not isinstance(node, ast.ImportFrom)]
    return ast.unparse(tree)
