"""Data of the studio is for its own user alone."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command

from studio.management.commands.doctor import look_at_rights
from studio.rights import close_places, open_places
from tests.services import DATABASE, migrated

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
WAYS_IN = {
    "manage.py": [sys.executable, "manage.py", "migrate", "contenttypes", "--verbosity", "0"],
    "web": [sys.executable, "-c", "import studio.wsgi; from packs.blobs import put; put(b'bytes')"],
    "worker and beat": [sys.executable, "-m", "celery", "--quiet", "-A", "studio", "inspect", "ping", "-t", "0.1"],
}


def modes(folder):
    """The places in a folder, itself included, to which others have a right."""
    return {
        path.name: oct(path.stat().st_mode) for path in (folder, *folder.rglob("*")) if path.lstat().st_mode & 0o077
    }


@pytest.fixture
def var(settings, tmp_path, monkeypatch):
    """A data folder as versions before left it: readable by everybody."""
    folder = tmp_path / "var"
    (folder / "files" / "ab").mkdir(parents=True)
    for name in ("packwright.sqlite3", "packwright.sqlite3-wal", "secret_key", "files/ab/blob"):
        (folder / name).write_text("private")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    settings.VAR_DIR, settings.MEDIA_ROOT, settings.BASE_DIR = folder, folder / "files", tmp_path
    # The settings give back what was assigned to them, and not what changed in their values.
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", str(folder / "packwright.sqlite3"))
    return folder


@pytest.mark.parametrize("way", WAYS_IN)
def test_every_process_writes_for_its_own_user_alone(tmp_path, way):
    place = tmp_path / "var"
    variables = {name: text for name, text in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    variables |= {"PACKWRIGHT_VAR": str(place), "DJANGO_SETTINGS_MODULE": "studio.settings"}
    if way == "web":
        place.mkdir(mode=0o700)
        shutil.copyfile(migrated(), place / DATABASE)
        (place / DATABASE).chmod(0o600)
    if way == "worker and beat":
        (place / "queue").mkdir(parents=True, mode=0o700)
        (place / "control").mkdir(mode=0o700)
        place.chmod(0o700)
    subprocess.run(WAYS_IN[way], cwd=ROOT, env=variables, umask=0o022, capture_output=True, check=False)
    assert len(list(place.iterdir())) >= 2
    assert modes(place) == {}


def test_uploaded_files_are_for_the_studio_alone():
    name = default_storage.save("some/where/file", ContentFile(b"bytes"))
    assert stat.S_IMODE(Path(default_storage.path(name)).stat().st_mode) == 0o600
    assert stat.S_IMODE(Path(default_storage.path("some/where")).stat().st_mode) == 0o700


def test_what_was_open_is_closed_with_all_that_is_in_it(var):
    assert set(modes(var)) > {"var", "files", "blob", "secret_key", "packwright.sqlite3-wal"}
    assert (close_places(), modes(var)) == ([], {})
    assert (var / "files" / "ab" / "blob").read_text() == "private"


def test_the_start_closes_it(db, var, settings):
    call_command("prepare")
    assert modes(var) == {}


def test_a_database_elsewhere_is_closed_as_well(var, settings, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere.sqlite3"
    elsewhere.touch()
    elsewhere.chmod(0o640)
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", str(elsewhere))
    assert elsewhere in open_places()
    close_places()
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o600


def test_the_doctor_names_what_is_open_and_says_what_to_do(var):
    told = look_at_rights()
    assert (told["works"], f"{var} (drwxr-xr-x)" in told["detail"]) == (False, True)
    assert f"chmod -R go= {var}" in told["detail"]
    close_places()
    assert look_at_rights()["works"] is True


def test_a_file_of_settings_that_others_may_read_is_named_and_left_alone(var, tmp_path):
    settings_file = tmp_path / ".env"
    settings_file.touch()
    settings_file.chmod(0o644)
    assert close_places() == [settings_file]
    assert stat.S_IMODE(settings_file.stat().st_mode) == 0o644


def test_a_folder_that_the_machine_shares_is_named_and_left_alone(var):
    var.chmod(0o1777)
    assert var in close_places()
    assert stat.S_IMODE(var.stat().st_mode) == 0o1777
