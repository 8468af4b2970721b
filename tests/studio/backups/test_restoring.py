"""Backups as operators take and restore them, on both databases, and studios that began with the first tables."""

import json
from contextlib import nullcontext

import pytest

from tests.services import DATABASE, Studio, initdb, postgres, postgres_binaries, postgres_on

pytestmark = pytest.mark.services


@pytest.fixture
def postgresql():
    """The address of a PostgreSQL database without tables."""
    if postgres_binaries() is None:
        pytest.skip("no PostgreSQL server")
    with postgres_on(initdb) as server:
        yield server.address


def empty_studio(folder, **environment):
    """A studio whose database has no tables, under the key that all studios of these tests share."""
    studio = Studio(folder, PACKWRIGHT_SECRET_KEY="k" * 50, **environment)
    (studio.folder / DATABASE).unlink(missing_ok=True)
    return studio


def ask(studio, act):
    code = f"from tests.studio.backups.studios import act; act({act!r})"
    return json.loads(studio.manage("shell", "--no-imports", "--verbosity", "0", "--command", code))


def test_a_studio_comes_back_equal_on_either_database_and_goes_on(tmp_path, postgresql):
    first = Studio(tmp_path / "first", PACKWRIGHT_SECRET_KEY="k" * 50)
    removed, wanted = ask(first, "fill")["removed"], ask(first, "portrait")
    first.manage("backup", tmp_path / "one.zip")
    second = empty_studio(tmp_path / "second", DATABASE_URL=postgresql)
    told = json.loads(second.manage("restore", tmp_path / "one.zip", "--json"))
    assert (told["key_fits"], told["lost"], told["rows"] > 100) == (True, [], True)
    assert ask(second, "portrait") == wanted
    went_on = ask(second, "go_on")
    assert went_on["added"] > removed
    assert went_on["counts"] == {"passed": 3}
    wanted = ask(second, "portrait")
    second.manage("backup", tmp_path / "two.zip")
    third = empty_studio(tmp_path / "third")
    third.manage("restore", tmp_path / "two.zip")
    assert ask(third, "portrait") == wanted


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_studio_of_the_first_tables_is_upgraded_in_place_and_from_its_backup(kind, tmp_path, request):
    environment = {"DATABASE_URL": request.getfixturevalue("postgresql")} if kind == "postgresql" else {}
    old = empty_studio(tmp_path / "old", **environment)
    ask(old, "begin_old")
    old.manage("backup", tmp_path / "old.zip")
    old.manage("prepare")
    upgraded = ask(old, "portrait")
    assert (upgraded["runs_trial"][0], upgraded["run 1"][1], upgraded["search"]) == (2, "completed", True)
    # A new studio gets its tables without running the migrations one after the other.
    with postgres() if kind == "postgresql" else nullcontext() as server:
        fresh = Studio(tmp_path / "fresh", **({"DATABASE_URL": server.address} if server else {}))
        assert ask(old, "schema") == ask(fresh, "schema")
    old.manage("restore", tmp_path / "old.zip", "--replace")
    again = ask(old, "portrait")
    # Django numbers these in any order, and nothing of ours refers to them.
    for table in ("auth_permission", "django_content_type"):
        assert again.pop(table)[0] == upgraded.pop(table)[0]
    assert again == upgraded
