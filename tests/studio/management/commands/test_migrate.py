import pytest

from tests.services import DATABASE, Studio


@pytest.mark.services
def test_migrating_one_application_runs_its_migrations_alone(tmp_path):
    studio = Studio(tmp_path)
    (tmp_path / DATABASE).unlink()
    said = studio.manage("migrate", "contenttypes")
    assert "Applying contenttypes.0001_initial... OK" in said
    assert "Created" not in said
