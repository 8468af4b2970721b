"""Known ways out of a sandbox, tried for real: tests and `manage.py doctor` run them on the machine they are on."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from runs.sandbox.attacks.contract import Attack, Scene
from runs.sandbox.attacks.hogs import HOGS
from runs.sandbox.attacks.leftovers import LEFTOVERS
from runs.sandbox.attacks.reach import REACHES
from runs.sandbox.attacks.scene import open_scene
from runs.sandbox.contract import Command, Room, Sandbox, SandboxUnavailable, Workspace

__all__ = ["ATTACKS", "Attack", "Report", "Scene", "attack", "open_scene", "run_attacks"]

ATTACKS: dict[str, Attack] = {found.key: found for found in (*REACHES, *HOGS, *LEFTOVERS)}
# Rather the system's own, which every user may run.
PYTHONS = ("/usr/bin/python3", "/usr/local/bin/python3", sys.executable)


@dataclass(frozen=True, slots=True)
class Report:
    """How one attack went. `got` is what it got, empty where the sandbox withstood it."""

    attack: Attack
    got: str

    @property
    def held(self) -> bool:
        return not self.got


def run_attacks(sandbox: Sandbox, extra_files: tuple[str, ...] = ()) -> Iterator[Report]:
    """All attacks, one after the other; `extra_files` are more files that no program should be able to read.

    Raises SandboxUnavailable when the sandbox or a Python in it cannot be had.
    """
    with open_scene(extra_files) as scene:
        for found in ATTACKS.values():
            yield Report(found, attack(sandbox, found, scene))


def attack(sandbox: Sandbox, wanted: Attack, scene: Scene) -> str:
    """Try one attack; what it got, empty when nothing. Raises SandboxUnavailable."""
    room = Room(
        files={"program.py": wanted.code.encode(), "kept.txt": b"kept"},
        read_only=frozenset({"kept.txt"}),
        limits=wanted.limits,
        shared_paths=tuple({sys.prefix, sys.base_prefix}),
    )
    with sandbox.open_workspace(room) as workspace:
        arguments = [python_in(workspace), "-I", "-S", "program.py", scene.as_argument()]
        result = workspace.run(Command(arguments, timeout=wanted.seconds))
        return wanted.judge(scene, workspace, result)


def python_in(workspace: Workspace) -> str:
    """A Python that starts in a workspace. Raises SandboxUnavailable when there is none."""
    troubles = []
    # Again after all, since processes of the attack before may still use up what a user may have.
    for python in [*dict.fromkeys(PYTHONS)] * 3:
        try:
            result = workspace.run(Command([python, "-I", "-S", "-c", ""], timeout=60))
        except OSError as error:
            troubles.append(f"{python}: {error.strerror}")
            continue
        if result.exit_code == 0:
            return python
        last = result.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        troubles.append(f"{python}: exit code {result.exit_code} {last}".strip())
    raise SandboxUnavailable(
        f"the attacks are Python programs, and no Python starts for every user: {'; '.join(troubles)}"
    )
