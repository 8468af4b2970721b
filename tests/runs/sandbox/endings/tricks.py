"""What hostile endings are made of. Only the standard library: it runs in sandboxes, under any Python."""

import os
import shutil
import sys

ENDINGS = {}
LIES = ("5 passed", "PASSED answer", "PASSED tests/test_answer.py::test_answer", '{"passed": 5, "total": 5}')
SAYING = "\n".join(f"print({lie!r})" for lie in LIES)
FORGED = f"import os, sys\n{SAYING}\nsys.stdout.flush()\nos._exit(0)\n"
SHELL = "\n".join([*(f"echo '{lie}'" for lie in LIES), "exit 0\n"])
PASSING = "def test_answer():\n    pass\n"
WRONG = "def answer():\n    return 0\n"
GRADED = ("answer.py", "tests/run.sh", "tests/test_answer.py", "tests/check.sh")


def ending(act):
    """Make a function an ending of its name."""
    ENDINGS[act.__name__] = act
    return act


def attempt(act, *given, **more):
    """Act where it can be done: a sandbox may refuse it."""
    try:
        return act(*given, **more)
    except (OSError, ValueError):
        return None


def say(text):
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def put(path, text, mode=0o755):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    gone(path)
    with open(path, "w") as opened:
        opened.write(text)
    os.chmod(path, mode)


def gone(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def forged(path):
    """What passes in place of a file that graders run or read."""
    return SHELL if path.endswith(".sh") else PASSING if "test_" in path else FORGED


def everything(top=".", *, up=False):
    """The paths of all that there is, as it was before anything is done to it."""
    found = [(folder, name) for folder, names, files in os.walk(top, topdown=not up) for name in names + files]
    return [*(os.path.join(*place) for place in found), top]
