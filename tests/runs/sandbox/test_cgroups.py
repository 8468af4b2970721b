import os
import threading
from pathlib import Path

import pytest

from runs.sandbox import cgroups
from runs.sandbox.cgroups import Group, Joining, Parents, Reached, can_hold_groups, candidates
from runs.sandbox.contract import Limits, Stop

LIMITS = Limits(memory_bytes=1000, processes=7)


def mounted(kind, root, point, options):
    return f"30 23 0:26 {root} {point} rw,nosuid shared:9 - {kind} {kind} {options}\n"


def test_version_1_is_found_below_the_workers_own_groups(tmp_path):
    for name in ("memory/service", "pids"):
        (tmp_path / name).mkdir(parents=True)
    table = mounted("cgroup", "/", tmp_path / "memory", "rw,memory") + mounted(
        "cgroup", "/docker/1", tmp_path / "pids", "rw,pids"
    )
    found = next(candidates(table, "4:memory:/service\n8:pids:/docker/1\n0::/\n"))
    assert found == Parents((tmp_path / "memory" / "service", tmp_path / "pids"), 1, are_own=True)


def test_version_2_offers_the_own_group_and_those_above_it(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    table = mounted("cgroup2", "/", tmp_path, "rw,nsdelegate")
    assert [place.folders for place in candidates(table, "0::/a/b\n")] == [
        (tmp_path / "a" / "b",), (tmp_path / "a",), (tmp_path,)
    ]  # fmt: skip


def test_in_version_2_a_group_above_must_hand_both_limits_on(tmp_path):
    assert not can_hold_groups(Parents((tmp_path,), 2))
    (tmp_path / "cgroup.subtree_control").write_text("cpu\n")
    assert not can_hold_groups(Parents((tmp_path,), 2))
    assert (tmp_path / "cgroup.subtree_control").read_text() == "+memory +pids"


@pytest.mark.parametrize(
    ("version", "names", "expected"),
    [
        (2, [["memory.max", "pids.max"]], [{"memory.max": "1000", "pids.max": "7"}]),
        (
            1,
            [["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"], ["pids.max"]],
            [{"memory.limit_in_bytes": "1000", "memory.memsw.limit_in_bytes": "1000"}, {"pids.max": "7"}],
        ),
    ],
)
def test_limits_go_where_each_version_has_them(tmp_path, version, names, expected):
    folders = [tmp_path / str(number) for number in range(len(names))]
    for folder, files in zip(folders, names, strict=True):
        folder.mkdir()
        for name in files:
            (folder / name).touch()
    Group(tuple(folders), version).make(LIMITS)
    assert [{entry.name: entry.read_text() for entry in folder.iterdir()} for folder in folders] == expected


def test_what_was_reached_is_told(tmp_path):
    group = Group((tmp_path,), 2)
    first = group.reached()
    assert first.stop_since(Reached()) is Stop.NONE
    (tmp_path / "memory.events").write_text("low 0\noom 1\noom_kill 0\n")
    (tmp_path / "pids.events").write_text("max 3\n")
    second = group.reached()
    assert second.stop_since(first) is Stop.PROCESSES
    (tmp_path / "memory.events").write_text("low 0\noom 1\noom_kill 1\n")
    assert group.reached().stop_since(first) is Stop.MEMORY
    assert group.reached().stop_since(group.reached()) is Stop.NONE


def test_a_real_group_is_made_limits_and_goes_with_its_processes():
    group = cgroups.group_of(9999)
    if group is None:
        pytest.skip("no control group can be written on this machine")
    group.make(Limits(memory_bytes=64 << 20, processes=5))
    child = os.posix_spawn("/bin/sleep", ["sleep", "60"], {})
    group.add(child)
    cgroups.remove(group.folders)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -9
    assert [folder for folder in group.folders if Path(folder).exists()] == []


def test_what_a_thread_starts_inside_is_in_the_group_and_the_thread_is_not():
    group = cgroups.group_of(9998)
    if group is None or group.version != 1 or not group.parents.are_own:
        pytest.skip("threads do not move by themselves here")
    group.make(Limits())
    found = {}

    def start():
        with Joining(group) as joining:
            child = os.posix_spawn("/bin/sleep", ["sleep", "60"], {})
            joining.started(child)
            found["thread"] = Path("/proc/thread-self/cgroup").read_text()
        found["child"] = Path(f"/proc/{child}/cgroup").read_text()
        os.kill(child, 9)
        os.waitpid(child, 0)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    cgroups.remove(group.folders)
    name = group.folders[0].name
    assert (found["child"].count(name), name in found["thread"]) == (2, False)


def test_without_a_group_a_start_is_just_a_start():
    with Joining(None) as joining:
        joining.started(1)
    assert not joining.is_inside
