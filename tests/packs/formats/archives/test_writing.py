import io
import zipfile

from packs.formats.archives import read_upload, write_zip


def test_the_same_files_give_the_same_bytes_in_any_order():
    files = {"b": b"2", "a/c": b"1" * 1000}
    assert write_zip(files) == write_zip(dict(reversed(files.items())))
    assert read_upload("x.zip", write_zip(files))[0] == files


def test_the_archive_says_nothing_about_time_or_machine():
    with zipfile.ZipFile(io.BytesIO(write_zip({"a": b"1"}))) as archive:
        (info,) = archive.infolist()
    assert (info.date_time, info.create_system, info.extra) == ((1980, 1, 1, 0, 0, 0), 3, b"")
