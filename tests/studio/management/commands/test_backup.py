"""`manage.py backup`, with its exit codes."""

import json

import pytest
from django.core.files.storage import default_storage
from django.core.management import call_command

from packs import blobs
from packs.models import AuditEvent

pytestmark = pytest.mark.django_db(transaction=True)


def backing_up(capsys, *arguments):
    code = 0
    try:
        call_command("backup", *map(str, arguments))
    except SystemExit as ended:
        code = ended.code
    return code, capsys.readouterr()


def test_into_a_folder_goes_a_file_named_by_the_time_for_its_user_alone(team, tmp_path, capsys):
    blobs.put(b"content")
    code, told = backing_up(capsys, tmp_path)
    [file] = tmp_path.iterdir()
    assert code == 0
    assert file.name.startswith("packwright-")
    assert file.stat().st_mode & 0o077 == 0
    assert "1 files (7 bytes)" in told.out
    assert "PACKWRIGHT_ENCRYPTION_KEY" in told.out


def test_a_file_that_is_there_is_left_alone(team, tmp_path, capsys):
    file = tmp_path / "mine"
    file.write_text("mine")
    code, told = backing_up(capsys, file, "--json")
    assert (code, file.read_text()) == (2, "mine")
    assert "is there already" in json.loads(told.out)["error"]["message"]


def test_lost_files_are_named_and_end_with_1(team, tmp_path, capsys):
    gone = blobs.put(b"gone").digest
    default_storage.delete(blobs.name_of(gone))
    code, told = backing_up(capsys, tmp_path)
    assert (code, gone in told.err) == (1, True)


def test_where_nothing_can_be_written_nothing_is_left(team, tmp_path, capsys):
    code, told = backing_up(capsys, tmp_path / "no" / "folder.zip")
    assert (code, list(tmp_path.iterdir())) == (3, [])
    assert "Nothing was saved" in told.err
    assert AuditEvent.objects.get(kind__startswith="backup.").kind == "backup.failed"
