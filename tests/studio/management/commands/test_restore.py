"""What `manage.py restore` refuses; `tests/studio/backups` has what it does."""

import json

import pytest
from django.core.management import call_command

from packs.models import AuditEvent, Team
from studio.backups import archive
from studio.backups.saving import save

# Bytes between the name of an entry and its content.
ZIP64 = 20
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def file(team, tmp_path):
    save(tmp_path / "one.zip")
    return tmp_path / "one.zip"


def restoring(capsys, *arguments):
    code = 0
    try:
        call_command("restore", *map(str, arguments), "--json")
    except SystemExit as ended:
        code = ended.code
    told = json.loads(capsys.readouterr().out)
    return code, told.get("error", told)


def rewrite(file, change):
    """The backup with another manifest."""
    with archive.opened(file) as reader:
        manifest, rows = reader.manifest, {name: list(reader.rows_of(name)) for name in reader.manifest.tables}
    with file.open("wb") as target:
        writer = archive.Writer(target, change(manifest))
        for name, lines in rows.items():
            writer.add_rows(name, manifest.tables[name].columns, lines, manifest.tables[name].last)
        writer.close()


def test_a_studio_that_is_not_empty_is_left_alone(file, capsys):
    code, told = restoring(capsys, file)
    assert (code, "--replace" in told["message"]) == (2, True)
    assert Team.objects.count() == 1


def test_a_check_reads_all_of_a_file_and_changes_nothing(file, capsys):
    code, told = restoring(capsys, file, "--check")
    assert (code, told["key_fits"], told["tables"]["packs_team"]) == (0, True, 1)


def test_it_says_when_the_key_is_another(file, capsys, settings):
    settings.ENCRYPTION_KEYS = ["another"]
    assert restoring(capsys, file, "--check")[1]["key_fits"] is False


def test_a_restored_studio_tells_of_it_in_its_audit_log(file, capsys):
    assert restoring(capsys, file, "--replace")[0] == 0
    events = AuditEvent.objects.filter(kind__startswith="backup.")
    assert [(event.kind, event.subject) for event in events] == [("backup.restored", "one.zip")]


@pytest.mark.parametrize("more", [["--check"], ["--replace"]])
def test_a_damaged_file_is_named_and_changes_nothing(file, capsys, more):
    data = bytearray(file.read_bytes())
    # A byte of the rows of a table, packed.
    data[data.index(b"tables/packs_team.jsonl") + len("tables/packs_team.jsonl") + ZIP64 + 4] ^= 0xFF
    file.write_bytes(data)
    code, told = restoring(capsys, file, *more)
    assert (code, "is damaged, and nothing was restored" in told["message"]) == (1, True)
    assert Team.objects.count() == 1


def test_a_backup_of_a_newer_studio_is_refused(file, capsys):
    def newer(manifest):
        migrations = {**manifest.migrations, "packs": [*manifest.migrations["packs"], "9999_later"]}
        return archive.Manifest(manifest.made_at, "sqlite", migrations, manifest.sealed)

    rewrite(file, newer)
    code, told = restoring(capsys, file, "--replace")
    assert (code, "newer studio: packs.9999_later" in told["message"]) == (2, True)
    assert Team.objects.count() == 1


def test_a_file_that_is_not_there_is_named(db, tmp_path, capsys):
    code, told = restoring(capsys, tmp_path / "none.zip")
    assert (code, "none.zip" in told["message"]) == (3, True)
