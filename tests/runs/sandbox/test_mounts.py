import errno
import os

import pytest

from runs.sandbox import mounts

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts")


@pytest.fixture
def folder(tmp_path):
    try:
        mounts.mount_memory(tmp_path, size=1 << 20, inodes=20, user=1234)
    except PermissionError:
        pytest.skip("this root may not mount")
    yield tmp_path
    mounts.unmount(tmp_path)
    assert not os.path.ismount(tmp_path)


def trouble_of(act):
    """The number of the error that an act ends with."""
    try:
        act()
    except OSError as error:
        return error.errno
    return 0


def test_it_ends_at_its_size_and_its_number_of_files(folder):
    assert trouble_of(lambda: (folder / "big").write_bytes(b"x" * (2 << 20))) == errno.ENOSPC
    (folder / "big").unlink()
    assert trouble_of(lambda: [(folder / str(number)).touch() for number in range(30)]) == errno.ENOSPC
    assert folder.stat().st_uid == 1234


def test_what_is_not_mounted_is_left_alone(tmp_path):
    (tmp_path / "f").touch()
    mounts.unmount(tmp_path)
    mounts.unmount(tmp_path / "missing")
    assert (tmp_path / "f").exists()
