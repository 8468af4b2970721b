import pytest

from tests.services import DATABASE, Studio


@pytest.mark.services
def test_a_database_without_tables_gets_them_all_at_once_and_only_once(tmp_path):
    studio = Studio(tmp_path)
    (tmp_path / DATABASE).unlink()
    first, second = studio.manage("migrate"), studio.manage("migrate")
    assert "Created the tables of" in first
    assert "No migrations to apply." in first
    assert "Created" not in second
    assert "No migrations to apply." in second
    assert studio.manage("makemigrations", "--check", "--dry-run").strip() == "No changes detected"
