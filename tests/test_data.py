"""Where the tests keep their data, and who may read it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests.services import ROOT


def place(**environment):
    """Where a process with these variables keeps its data."""
    code = "from tests import settings; print(settings.VAR_DIR)"
    own = {name: value for name, value in os.environ.items() if name != "PACKWRIGHT_TEST_WORKER"}
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=own | environment, capture_output=True, text=True, check=True
    )
    return Path(told.stdout.strip())


def test_processes_that_share_the_tests_share_no_data(tmp_path):
    places = {place(PACKWRIGHT_VAR=str(tmp_path), PYTEST_XDIST_WORKER=name) for name in ("gw0", "gw1")}
    assert places == {tmp_path / "gw0", tmp_path / "gw1"}


def test_what_a_test_starts_has_the_data_that_it_is_given(tmp_path):
    given = {"PACKWRIGHT_VAR": str(tmp_path), "PYTEST_XDIST_WORKER": "gw1"}
    assert place(**given, PACKWRIGHT_TEST_WORKER="gw1") == tmp_path


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="other databases are not files of ours")
@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
def test_reading_a_file_of_the_open_database_is_refused(suffix):
    file = Path(f"{connection.settings_dict['NAME']}{suffix}")
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    assert file.exists()
    with pytest.raises(AssertionError, match="is open in this process"):
        file.read_bytes()


def test_other_files_beside_it_are_read_as_ever(tmp_path):
    file = tmp_path / "other.sqlite3"
    file.write_bytes(b"x")
    assert file.read_bytes() == b"x"
