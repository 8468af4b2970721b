import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.files.storage import default_storage
from django.core.files.storage.memory import InMemoryStorage
from storages.backends.s3 import S3Storage

from packs import blobs
from packs.models import Blob
from studio.settings import S3_OPTIONS

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


class Bucket(BaseHTTPRequestHandler):
    """As much of an S3-compatible store as is needed: objects that are put, got and looked for."""

    objects = {}

    def do_PUT(self):
        data = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "aws-chunked":
            data = unchunked(data)
        self.objects[self.path] = data
        self.answer(200, b"", ETag='"1"')

    def do_GET(self):
        found = self.objects.get(self.path)
        self.answer(404 if found is None else 200, found or b"", ETag='"1"')

    do_HEAD = do_GET

    def answer(self, status, body, **headers):
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *parts):
        """Keep the output of tests clean."""


def unchunked(data):
    """The content of a body that was sent in signed chunks."""
    content = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        length = int(size.partition(b";")[0], 16)
        if not length:
            break
        content, data = content + data[:length], data[length + 2 :]
    return content


@pytest.fixture
def s3(monkeypatch):
    """A storage in a bucket on this machine."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Bucket)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = {"endpoint_url": f"http://127.0.0.1:{server.server_port}", "region_name": "local"}
    storage = S3Storage(**{**S3_OPTIONS, "bucket_name": "packs", **options})
    yield storage
    storage.connection.meta.client.close()
    server.shutdown()
    server.server_close()


def test_bytes_are_kept_in_a_bucket_that_hosts_share(s3, monkeypatch):
    monkeypatch.setattr(blobs, "default_storage", s3)
    data = bytes(range(256)) * 100
    blob = blobs.put(data)
    assert blobs.put(data) == blob
    assert blobs.read(blob) == data
    assert list(Bucket.objects) == [f"/packs/blobs/{blob.digest[:2]}/{blob.digest}"]
    with pytest.raises(FileNotFoundError):
        blobs.read("0" * 64)


def test_bytes_that_come_in_portions_are_stored_as_if_they_came_at_once(db):
    whole = blobs.put(b"one two three")
    assert blobs.put_stream(iter([b"one ", b"two ", b"three"])) == whole
    other = blobs.put_stream(iter([b"four", b"", b"five"]))
    assert (blobs.read(other), other.size) == (b"fourfive", 8)
