"""Half characters, zero bytes and files that nobody can use at every door, on both databases."""

import json

import pytest

from tests.services import Studio, postgres, postgres_binaries


@pytest.mark.services
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_no_text_and_no_file_makes_the_studio_answer_with_a_mistake_of_its_own(tmp_path, database):
    # Archives are read before a database is asked, and every database refuses half a character: once is enough.
    what = "doors.HALF, uploads.FILES" if database == "sqlite" else "doors.ZERO, uploads.TEXTS"
    code = f"from tests.studio import doors, uploads; uploads.tell({what})"
    command = ["shell", "--no-imports", "--verbosity", "0", "--command", code]
    if database == "sqlite":
        assert json.loads(Studio(tmp_path).manage(*command)) == []
        return
    if postgres_binaries() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres() as server:
        assert json.loads(Studio(tmp_path, DATABASE_URL=server.address).manage(*command)) == []
