"""Attacks that outlive the program or wait in its files: daemons, links, changed files."""

import time
from pathlib import Path

from runs.sandbox.attacks.contract import Attack, Scene
from runs.sandbox.contract import CommandResult, Workspace

GONE_SECONDS = 2.0

# A process of a session of its own that ignores what it can, and bears the mark in its command line.
STAY = """
def stay():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            for handle in (0, 1, 2):
                os.close(handle)
            os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)", scene["mark"]])
        os._exit(0)
"""
DAEMON = STAY + "stay()\ntime.sleep(0.2)\n"
STUBBORN = (
    STAY
    + """
stay()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(60)
"""
)
LINKS = """
os.symlink(scene["secret_file"], "link")
os.symlink(os.path.dirname(scene["secret_file"]), "folder")
try:
    os.link(scene["secret_file"], "hard")
except OSError:
    pass
os.symlink("/proc/1/environ", "environment")
"""
CHANGE_GIVEN = """
def write():
    with open("kept.txt", "w") as opened:
        opened.write("changed")

for act in (write, lambda: os.unlink("kept.txt"), lambda: os.rename("kept.txt", "x")):
    try:
        act()
    except OSError:
        pass
"""


def _by_processes(scene: Scene, workspace: Workspace, result: CommandResult) -> str:
    """Whether a process with the mark still runs; one that is being torn down gets a moment."""
    deadline = time.monotonic() + GONE_SECONDS
    while found := marked(scene.mark):
        if time.monotonic() > deadline:
            return f"{len(found)} processes that still run"
        time.sleep(0.02)
    return ""


def marked(mark: str) -> list[int]:
    """The processes of this machine whose command line ends with the mark."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().endswith(mark.encode() + b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def _by_collecting(scene: Scene, workspace: Workspace, result: CommandResult) -> str:
    """What the links give to a program that collects files afterwards."""
    names = ("link", "folder/secret", "hard", "environment")
    files = {name: workspace.read_file(name, 1000) for name in names}
    found = [name for name, file in files.items() if file is not None and scene.token.encode() in file.content]
    if workspace.list_directory("folder", recursive=True) is not None:
        found.append("a listing through a link")
    return ", ".join(found)


def _by_kept_file(scene: Scene, workspace: Workspace, result: CommandResult) -> str:
    kept = workspace.read_file("kept.txt", 100)
    return "" if kept is not None and kept.content == b"kept" else "a changed file"


LEFTOVERS = (
    Attack("daemon", "Leave a daemon behind", DAEMON, judge=_by_processes),
    Attack("stubborn", "Ignore SIGTERM and the time limit", STUBBORN, seconds=0.6, judge=_by_processes),
    Attack("links", "Have links out of the workspace collected", LINKS, judge=_by_collecting),
    Attack("change_given", "Change a read-only file", CHANGE_GIVEN, judge=_by_kept_file),
)
