"""Attacks that use up the machine: processes, memory, disk."""

import re

from runs.sandbox.attacks.contract import SMALL, Attack, Judge, Scene, by_what_it_says
from runs.sandbox.contract import MEBIBYTE, CommandResult, Stop, Workspace

# How far past a limit a program may get where it is only watched.
SLACK = 2

BOMB = """
count = 0
try:
    while count < 400:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        count += 1
except OSError:
    pass
print("COUNT", count, flush=True)
time.sleep(HOLD if count == 400 else 0)
"""
ONE_HOG = """
held = []
try:
    for step in range(40):
        held.append(bytearray(b"x") * (16 << 20))
        print("COUNT", (step + 1) * 16, flush=True)
        time.sleep(0.01)
except MemoryError:
    held.clear()
"""
# Eight at once, each well below the limit. They hold what they have until the last look.
MANY_HOGS = """
children = []
for child in range(8):
    pid = os.fork()
    if pid == 0:
        held = bytearray(b"x") * (60 << 20)
        time.sleep(HOLD)
        os._exit(0)
    children.append(pid)
alive = sum(os.waitpid(pid, 0)[1] == 0 for pid in children)
print("COUNT", alive * 60)
"""
FILL_DISK = """
chunk = b"x" * (1 << 20)
written = 0
for number in range(200):
    try:
        with open(f"fill{number}", "wb") as opened:
            opened.write(chunk)
    except OSError:
        break
    written += 1
print("COUNT", written, flush=True)
time.sleep(HOLD if written == 200 else 0)
"""
MANY_FILES = """
made = 0
for number in range(5000):
    try:
        os.close(os.open(f"f{number}", os.O_CREAT | os.O_WRONLY))
    except OSError:
        break
    made += 1
print("COUNT", made, flush=True)
time.sleep(HOLD if made == 5000 else 0)
"""
BIG_FILE = """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
attempt("a file of 64 MiB", lambda: open("big", "wb").write(b"x" * (64 << 20)))
print("COUNT", os.path.getsize("big") >> 20, flush=True)
"""
FILL_SCRATCH = """
chunk = b"x" * (1 << 20)
total = 0
for folder in {os.environ.get("TMPDIR", "/tmp"), "/tmp", "/dev/shm", "/var/tmp", "/run"}:
    for number in range(48):
        try:
            with open(f"{folder}/fill{number}", "wb") as opened:
                opened.write(chunk)
        except OSError:
            break
        total += 1
print("COUNT", total, flush=True)
time.sleep(HOLD if total >= 48 else 0)
"""


def _at_most(most: int, what: str) -> Judge:
    """Got something only if the program counted more than that and no limit stopped it."""

    def judge(scene: Scene, workspace: Workspace, result: CommandResult) -> str:
        counts = [int(number) for number in re.findall(rb"COUNT (\d+)", result.stdout)]
        if result.stop is not Stop.NONE or result.exit_code < 0:
            return ""
        if not counts:
            return by_what_it_says(scene, workspace, result)
        return f"{counts[-1]} {what}" if counts[-1] > most else ""

    return judge


_MEMORY = SMALL.memory_bytes // MEBIBYTE
_DISK = SMALL.disk_bytes // MEBIBYTE
_SCRATCH = SMALL.scratch_bytes // MEBIBYTE

HOGS = (
    Attack("fork_bomb", "Fork without end", BOMB, judge=_at_most(SLACK * SMALL.processes, "processes")),
    Attack("memory_hog", "Take memory in one process", ONE_HOG, judge=_at_most(_MEMORY, "MiB")),
    Attack("memory_hogs", "Take memory in eight processes", MANY_HOGS, judge=_at_most(_MEMORY, "MiB in sum")),
    Attack("fill_disk", "Fill the workspace with bytes", FILL_DISK, judge=_at_most(_DISK, "MiB")),
    Attack("many_files", "Fill the workspace with empty files", MANY_FILES, judge=_at_most(SMALL.inodes, "files")),
    Attack("big_file", "Write one file without end", BIG_FILE, judge=_at_most(SMALL.file_bytes // MEBIBYTE, "MiB")),
    Attack("fill_scratch", "Fill temporary folders", FILL_SCRATCH, judge=_at_most(2 * _SCRATCH, "MiB")),
)
