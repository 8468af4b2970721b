import os

import pytest

from runs.sandbox.contract import Limits, Stop
from runs.sandbox.watching import Watch, resident, tree
from tests.runs.sandbox.rooms import wait_until


@pytest.fixture
def child():
    pid = os.posix_spawn("/bin/sh", ["sh", "-c", "sleep 600 & sleep 600"], {"PATH": "/bin:/usr/bin"})
    yield pid
    for found in reversed(list(tree(pid))):
        os.kill(found, 9)
    os.waitpid(pid, 0)


def test_a_tree_has_all_that_a_process_started(child):
    wait_until(lambda: len(list(tree(child))) == 3)
    assert resident(os.getpid()) > 1 << 20
    assert resident(1 << 22) == 0


@pytest.mark.parametrize(
    ("limits", "used", "stop"),
    [
        (Limits(memory_bytes=1), (0, 0), Stop.MEMORY),
        (Limits(processes=0), (0, 0), Stop.PROCESSES),
        (Limits(disk_bytes=10), (11, 1), Stop.DISK),
        (Limits(inodes=10), (0, 11), Stop.DISK),
        (Limits(), (1, 1), Stop.NONE),
    ],
)
def test_what_is_passed_is_told(child, limits, used, stop):
    assert Watch(limits, first=lambda: child, used=lambda: used).look() is stop


def test_it_does_not_look_all_the_time():
    looks = []
    watch = Watch(Limits(), used=lambda: looks.append(1) or (0, 0))
    for _ in range(50):
        watch.look()
    assert len(looks) == 1


def test_without_a_process_to_look_at_nothing_is_said():
    assert Watch(Limits(memory_bytes=1), first=lambda: None).look() is Stop.NONE
