"""How uploaded bytes are shown."""

import gzip
import io
import tarfile
import zipfile

import pytest

from packs import blobs
from packs.editing import add_node, set_asset_content
from packs.formats.document import NodeKind
from packs.views.workbench.contents import MAX_ENTRIES, as_text, dump, picture_type, preview


@pytest.fixture
def shown(draft, author):
    """How bytes are shown as the content of an asset."""
    node = add_node(draft, NodeKind.ASSET, author, document={"key": "a", "path": "a"}).node

    def show(data):
        set_asset_content(draft, node, blobs.put(data), author)
        return preview(draft.assets.select_related("blob").get(pk=node))

    return show


def zipped(count):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(count):
            archive.writestr(f"f/{number}.txt", "x" * number)
    return packed.getvalue()


def tarred(mode):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:
        entry = tarfile.TarInfo("f/one.txt")
        entry.size = 3
        archive.addfile(entry, io.BytesIO(b"abc"))
    return packed.getvalue()


@pytest.mark.parametrize("data", [zipped(2), tarred("w"), tarred("w:gz")], ids=["zip", "tar", "tar.gz"])
def test_an_archive_is_listed_and_not_unpacked(shown, data):
    found = shown(data)
    assert found["kind"] == "archive"
    assert "f/" in found["text"]
    assert not found["is_cut"]


def test_a_long_list_is_cut(shown):
    found = shown(zipped(MAX_ENTRIES + 5))
    assert (found["is_cut"], len(found["text"].splitlines())) == (True, MAX_ENTRIES)


def newer():
    """A ZIP archive whose first entry asks for a reader that does not exist yet."""
    data = bytearray(zipped(1))
    data[data.index(b"PK\x01\x02") + 6] = 255
    return bytes(data)


@pytest.mark.parametrize(
    "data",
    [b"PK\x03\x04 broken \0", newer(), b"\x1f\x8b broken \0", gzip.compress(b"\0no archive")],
    ids=["zip", "zip of a newer kind", "gzip", "gzip of something else"],
)
def test_what_only_looks_like_an_archive_is_shown_as_bytes(shown, data):
    assert shown(data)["kind"] == "hex"


def test_json_is_shown_in_lines(shown):
    assert shown(b'{"a":[1,2]}')["text"] == '{\n  "a": [\n    1,\n    2\n  ]\n}'
    assert shown(b'{"a":')["text"] == '{"a":'


def test_text_cut_inside_a_character_is_still_text():
    assert as_text("é".encode()[:1] * 1 + b"") is not None
    assert as_text(b"ab\xff\xfe" * 20) is None


def test_a_dump_has_sixteen_bytes_a_line():
    assert [line[:8] for line in dump(bytes(40)).splitlines()] == ["00000000", "00000010", "00000020"]


def test_only_harmless_pictures_have_a_type():
    assert picture_type(b"RIFF\0\0\0\0WEBPVP8 ") == "image/webp"
    assert picture_type(b"<svg xmlns=") == ""
