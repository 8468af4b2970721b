"""Backups by the timetable."""

import fcntl
from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.storage import default_storage

from packs import blobs
from packs.models import AuditEvent
from studio.backups.archive import opened
from studio.backups.jobs import make_backup
from studio.backups.saving import fresh_name

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def folder(settings, tmp_path):
    settings.BACKUP_HOURS, settings.BACKUP_FOLDER, settings.BACKUP_KEEP = 24, tmp_path / "backups", 2
    return settings.BACKUP_FOLDER


def test_the_newest_backups_are_kept(folder, team):
    folder.mkdir()
    for name in ("packwright-2020-01-01T000000.backup.zip", "packwright-2020-01-02T000000.backup.zip"):
        (folder / name).touch()
    (folder / "of-somebody.zip").touch()
    make_backup()
    kept = sorted(path.name for path in folder.glob("*.zip"))
    assert kept[0] == "of-somebody.zip"
    assert kept[1] == "packwright-2020-01-02T000000.backup.zip"
    assert len(kept) == 3
    assert [(event.kind, event.subject) for event in AuditEvent.objects.filter(kind__startswith="backup.")] == [
        ("backup.created", kept[2])
    ]


def test_two_workers_make_no_backup_at_the_same_time(folder, team):
    folder.mkdir()
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        make_backup()
    assert list(folder.glob("*.zip")) == []


def test_none_is_made_where_none_is_wanted(folder, team, settings):
    settings.BACKUP_HOURS = 0.0
    make_backup()
    assert not folder.exists()


def test_files_that_the_storage_lost_are_reported_and_all_others_kept(folder, team, caplog):
    gone, there = blobs.put(b"gone"), blobs.put(b"there")
    default_storage.delete(blobs.name_of(gone.digest))
    make_backup()
    [file] = folder.glob("*.zip")
    with opened(file) as reader:
        assert (reader.manifest.lost, list(reader.manifest.files)) == ([gone.digest], [there.digest])
    assert "backup-lacks-files" in caplog.messages


def test_a_backup_that_failed_is_in_the_audit_log(folder, team):
    folder.mkdir()
    # A folder stands where each file of a backup is written first.
    now = datetime.now(UTC)
    for second in range(60):
        (folder / f".{fresh_name(now + timedelta(seconds=second))}.unfinished").mkdir()
    make_backup()
    assert [event.kind for event in AuditEvent.objects.filter(kind__startswith="backup.")] == ["backup.failed"]
