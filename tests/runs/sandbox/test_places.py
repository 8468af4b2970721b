import os

import pytest

from runs.sandbox.contract import Limits, Room, Stop
from runs.sandbox.places import Limited, is_full, take_place

SMALL = Room(limits=Limits(disk_bytes=1 << 20, scratch_bytes=1 << 20))


def test_a_place_and_its_temporary_folder_are_gone_afterwards():
    with take_place(SMALL) as place:
        scratch = place.add_scratch()
        assert os.access(scratch, os.W_OK)
        assert not is_full(place.work)
        groups = place.group.folders if place.group else ()
    assert not place.slot.folder.exists()
    assert not any(folder.exists() for folder in groups)


def test_what_the_kernel_does_not_keep_is_watched():
    with take_place(SMALL) as place:
        watch = place.watch(os.getpid, lambda: (2 << 20, 1))
        assert (watch.used is None, watch.first is None) == (place.has_quota, place.group is not None)
        assert watch.look() is (Stop.NONE if place.has_quota else Stop.DISK)


def test_a_full_workspace_tells_why_a_program_failed():
    with take_place(SMALL) as place:
        if not place.has_quota:
            pytest.skip("this user cannot mount")
        (place.work / "fill").write_bytes(b"x" * (1 << 20))
        limited = Limited(place)
        limited.begin()
        assert (limited.stop(1), limited.stop(0)) == (Stop.DISK, Stop.NONE)
