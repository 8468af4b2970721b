import hashlib

import pytest
from django.core.files.storage import default_storage
from django.core.files.storage.memory import InMemoryStorage

from packs import blobs
from packs.models import Blob

pytestmark = pytest.mark.django_db


def test_bytes_are_found_again_under_their_hash():
    blob = blobs.put(b"hello")
    assert blob.digest == hashlib.sha256(b"hello").hexdigest()
    assert blob.size == 5
    assert blobs.read(blob) == blobs.read(blob.digest) == b"hello"
    assert default_storage.exists(f"blobs/{blob.digest[:2]}/{blob.digest}")


def test_the_same_bytes_are_stored_once():
    assert blobs.put(b"same") == blobs.put(b"same")
    assert Blob.objects.count() == 1


def test_nothing_but_whole_files_is_left_in_the_store(settings):
    blobs.put(b"x" * 100_000)
    names = [path.name for path in settings.MEDIA_ROOT.rglob("*") if path.is_file()]
    assert names == [blobs.digest_of(b"x" * 100_000)]


def test_lost_bytes_are_stored_again(settings):
    blob = blobs.put(b"lost")
    default_storage.delete(blobs.name_of(blob.digest))
    with pytest.raises(FileNotFoundError):
        blobs.read(blob)
    assert blobs.read(blobs.put(b"lost")) == b"lost"


def test_an_interrupted_write_leaves_nothing(monkeypatch, settings):
    def fail(descriptor):
        raise OSError("disk full")

    monkeypatch.setattr("packs.blobs.os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        blobs.put(b"half")
    assert not [path for path in settings.MEDIA_ROOT.rglob("*") if path.is_file()]
    assert not Blob.objects.exists()


def test_a_storage_without_paths_serves_as_well(monkeypatch):
    monkeypatch.setattr(default_storage, "_wrapped", InMemoryStorage())
    assert blobs.read(blobs.put(b"remote")) == b"remote"


def test_the_hash_of_files_is_what_sha256sum_would_print():
    files = {"b.txt": b"2", "a.txt": b"1"}
    lines = f"{hashlib.sha256(b'1').hexdigest()}  a.txt\n{hashlib.sha256(b'2').hexdigest()}  b.txt\n"
    assert blobs.digest_of_files(files) == hashlib.sha256(lines.encode()).hexdigest()
