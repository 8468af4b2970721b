"""How long commands take to start, beside a bare interpreter and a bare `django.setup()` of the same settings.

`python -m benchmarks starts`. Figures are processor time of whole processes, medians of turns that they take. The
database holds the sample packs: `start` makes a run of one and sends its jobs, `show` shows a run. The goals in seconds
hold for two quiet cores. Exits with 1 when a command takes more than its share, on any machine: of the set-up where it
uses the database, of interpreters otherwise.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.packs import simple_pack

ROUNDS = 7
PYTHON, SETUP = "python", "django.setup()"
# A command, its goal in seconds, beside what it is measured, and how many times of that it may take.
LIMITS = {"run show": (0.5, SETUP, 0.65), "run start": (0.5, SETUP, 1.1), "pack check": (0.12, PYTHON, 12.0)}


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder, "pack.yaml")
        pack.write_bytes(simple_pack(3))
        settings = os.environ | {"PACKWRIGHT_VAR": folder, "DJANGO_SETTINGS_MODULE": "studio.settings"}
        # Compiled code is there, as where the studio was installed.
        settings.pop("PYTHONDONTWRITEBYTECODE", None)
        commands = {
            PYTHON: ["-c", "pass"],
            SETUP: ["-c", "import django; django.setup()"],
            "run show": ["manage.py", "run", "show", "1"],
            "run start": ["manage.py", "run", "start", "refund-desk", "--agent", "reference"],
            "pack check": ["manage.py", "pack", "check", str(pack)],
        }
        for command in (["manage.py", "prepare"], commands["run start"]):
            subprocess.run([sys.executable, *command], env=settings, stdout=subprocess.DEVNULL, check=True)
        spent: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                spent[name].append(seconds_of(command, settings))
    medians = {name: statistics.median(found) for name, found in spent.items()}
    print(f"{'start of':16}{'cpu s':>8}{'goal s':>8}{'x python':>10}{'x setup':>10}{'at most':>24}")
    for name, found in medians.items():
        goal, floor, limit = LIMITS.get(name, ("", "", 0.0))
        line = f"{name:16}{found:8.3f}{goal:>8}{found / medians[PYTHON]:10.1f}{found / medians[SETUP]:10.2f}"
        print(line + (f"{limit:4g} x {floor}".rjust(24) if floor else ""))
    return int(any(medians[name] > limit * medians[floor] for name, (_, floor, limit) in LIMITS.items()))


def seconds_of(command: list[str], settings: dict[str, str]) -> float:
    """Seconds of processor time of a Python process and all that it waits for."""
    process = subprocess.Popen(
        [sys.executable, *command], env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, _, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
