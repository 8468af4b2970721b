"""The file of a backup: what was written comes back, and whatever happened to it since is noticed."""

import hashlib
import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.backups.archive import MANIFEST, Damaged, Manifest, Writer, opened

LINES = [b'[1,"one"]\n', b'[2,"two"]\n']
CONTENT = b"some bytes " * 50
DIGEST = hashlib.sha256(CONTENT).hexdigest()


def written(content=CONTENT):
    target = io.BytesIO()
    writer = Writer(target, Manifest("2026-11-24T12:00:00+00:00", "sqlite", {"packs": ["0001_initial"]}, "sealed"))
    writer.add_rows("things", ["id", "name"], LINES, 7)
    writer.add_file(DIGEST, len(content), io.BytesIO(content))
    writer.close()
    return target.getvalue()


WHOLE = written()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "a.zip"


def read(path, data):
    path.write_bytes(data)
    with opened(path) as reader:
        reader.verify()
        with reader.file(DIGEST) as source:
            return list(reader.rows_of("things")), source.read(), reader.manifest


def test_what_was_written_comes_back(file):
    lines, content, manifest = read(file, WHOLE)
    assert (lines, content) == (LINES, CONTENT)
    assert (manifest.rows, manifest.size, manifest.tables["things"].last) == (2, len(CONTENT), 7)


def test_bytes_that_are_no_longer_those_of_their_name_are_noted_as_lost(file):
    file.write_bytes(written(b"others"))
    with opened(file) as reader:
        reader.verify()
        assert (reader.manifest.lost, reader.manifest.files) == ([DIGEST], {})


ENTRY, END = b"PK\x01\x02", b"PK\x05\x06"
CHANGES = {
    "of an unknown kind": (ENTRY, 6, 109),
    "encrypted": (ENTRY, 8, 1),
    "packed by another program": (ENTRY, 10, zipfile.ZIP_BZIP2),
    "begins before the file": (END, 17, 255),
}


@pytest.mark.parametrize(("sign", "place", "value"), CHANGES.values(), ids=CHANGES)
def test_an_archive_that_seems_to_be_something_else_is_called_damaged(file, sign, place, value):
    changed = bytearray(WHOLE)
    changed[changed.index(sign) + place] = value
    with pytest.raises(Damaged):
        read(file, bytes(changed))


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_a_changed_byte_changes_nothing_that_is_read_or_is_noticed(tmp_path_factory, place, by):
    file = tmp_path_factory.getbasetemp() / "changed.zip"
    changed = bytearray(WHOLE)
    changed[place] ^= by
    try:
        lines, content, manifest = read(file, bytes(changed))
    except Damaged:
        return
    # Such as the time of an entry, which nothing reads.
    assert (lines, content, manifest.tables) == (LINES, CONTENT, read(file, WHOLE)[2].tables)


@given(st.integers(0, len(WHOLE) - 1))
def test_a_part_of_a_backup_is_none(tmp_path_factory, length):
    with pytest.raises(Damaged):
        read(tmp_path_factory.getbasetemp() / "part.zip", WHOLE[:length])


def test_a_backup_in_another_form_is_refused_by_its_number(file):
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(MANIFEST, json.dumps({"format": 2}))
    with pytest.raises(Damaged, match="form 2"), opened(file):
        pass
