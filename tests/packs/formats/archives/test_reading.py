import gzip
import io
import os
import stat
import struct
import tarfile
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.archives import (
    MAX_FILE_BYTES,
    MAX_FILES,
    read_again,
    read_path,
    read_upload,
    read_uploads,
    read_zip,
    write_zip,
)
from packs.formats.archives.limits import MAX_TOTAL_BYTES

FILES = {"assets/a.txt": b"A", "pack.yaml": b"pack: {}\n"}


def codes(findings):
    return [finding.code for finding in findings]


def zipped(entries):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, content in entries:
            archive.writestr(info, content)
    return buffer.getvalue()


def tarred(members, mode="w"):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for member, content in members:
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def member(name, size=0, **fields):
    info = tarfile.TarInfo(name)
    info.size = size
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def write_all(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def test_a_folder_a_zip_and_a_tar_give_the_same_files(tmp_path):
    folder = tmp_path / "pack"
    write_all(folder, FILES)
    (tmp_path / "pack.zip").write_bytes(write_zip(FILES))
    plain = tarred([(member("./" + name, len(content)), content) for name, content in FILES.items()])
    (tmp_path / "pack.tar").write_bytes(plain)
    (tmp_path / "pack.tar.gz").write_bytes(gzip.compress(plain))
    for name in ("pack", "pack.zip", "pack.tar", "pack.tar.gz"):
        assert read_path(tmp_path / name) == (FILES, [])


def test_a_single_file_comes_under_its_own_name(tmp_path):
    (tmp_path / "x.yaml").write_bytes(b"a")
    assert read_path(tmp_path / "x.yaml") == ({"x.yaml": b"a"}, [])
    assert read_upload("C:\\Users\\me\\x.yaml", b"a") == ({"x.yaml": b"a"}, [])


def test_a_path_that_does_not_exist_is_an_error_of_the_caller(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        read_path(tmp_path / "nothing")


def test_leftovers_of_systems_are_passed_over(tmp_path):
    litter = {".git/config": b"x", "__MACOSX/a": b"x", "assets/.DS_Store": b"x"}
    write_all(tmp_path, FILES | litter)
    assert read_path(tmp_path) == (FILES, [])
    assert read_upload("p.zip", write_zip(FILES | litter)) == (FILES, [])


def test_links_in_a_folder_are_refused_and_never_followed(tmp_path):
    folder = tmp_path / "pack"
    write_all(folder, FILES)
    (tmp_path / "secret").write_text("s")
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe")
    files, findings = read_path(folder)
    assert files == FILES
    assert sorted((finding.code, finding.file) for finding in findings) == [
        ("files.E014", "link"),
        ("files.E014", "loop"),
        ("files.E014", "pipe"),
    ]


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "a\\..\\x"])
def test_an_entry_that_climbs_out_is_refused(name):
    for data in (zipped([(name, b"x")]), tarred([(member(name, 1), b"x")])):
        files, findings = read_upload("p.tar" if data[:2] != b"PK" else "p.zip", data)
        assert files == {}
        assert len(findings) == 1
        assert findings[0].is_error


def test_links_and_devices_in_archives_are_refused():
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert codes(read_upload("p.zip", zipped([(link, b"/etc/passwd")]))[1]) == ["files.E014"]
    kinds = [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE]
    data = tarred([(member(f"m{index}", type=kind, linkname="x"), b"") for index, kind in enumerate(kinds)])
    assert codes(read_upload("p.tar", data)[1]) == ["files.E014"] * 4


def test_a_zip_bomb_is_refused_before_it_is_unpacked():
    data = zipped([("zeros", b"\0" * (20 * 1024 * 1024))])
    files, findings = read_upload("p.zip", data)
    assert files == {}
    assert codes(findings) == ["files.E013"]


def test_a_zip_that_lies_about_its_sizes_is_broken_not_believed():
    data = zipped([("zeros", b"\0" * 1000)])
    lying = data.replace((1000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    files, findings = read_upload("p.zip", lying)
    assert files == {}
    assert codes(findings) == ["files.E017"]


def test_one_part_of_an_archive_in_several_is_broken():
    data = zipped([("a", b"A")])
    end = data.index(b"PK\x05\x06")
    parts = 2
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, parts)
    assert codes(read_upload("p.zip", data[:end] + locator + data[end:])[1]) == ["files.E017"]


def test_a_packed_tar_that_unpacks_beyond_the_limit_is_refused():
    data = gzip.compress(b"\0" * (MAX_TOTAL_BYTES + MAX_FILES * 1024 + 10), compresslevel=1)
    assert codes(read_upload("p.tar.gz", data)[1]) == ["files.E012"]


def test_too_many_and_too_large_files_are_refused(tmp_path):
    many = zipped([(f"f{index}", b"") for index in range(MAX_FILES + 5)])
    files, findings = read_upload("p.zip", many)
    assert len(files) == MAX_FILES
    assert codes(findings) == ["files.E010"]
    sparse = tmp_path / "pack" / "huge"
    sparse.parent.mkdir()
    with sparse.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    assert codes(read_path(sparse.parent)[1]) == ["files.E011"]
    assert codes(read_path(sparse)[1]) == ["files.E011"]


def test_a_name_that_stands_twice_is_told():
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zipped([("a", b"1"), ("a", b"2")])
    files, findings = read_upload("p.zip", data)
    assert files == {"a": b"1"}
    assert codes(findings) == ["files.E015"]


def test_an_encrypted_entry_is_told():
    data = bytearray(write_zip({"a": b"x"}))
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(magic) + offset] |= 1
    assert codes(read_upload("p.zip", bytes(data))[1]) == ["files.E016"]


@given(st.integers(0, 400), st.binary(max_size=4))
def test_a_damaged_archive_never_raises(position, patch):
    for name, data in (("p.zip", write_zip(FILES)), ("p.tar", tarred([(member("a", 1), b"x")]))):
        damaged = data[:position] + patch + data[position + len(patch) :]
        read_upload(name, damaged)
        read_upload(name, data[:position])
        read_upload(name + ".gz", b"\x1f\x8b" + damaged)


@given(st.binary(max_size=300))
def test_no_bytes_make_it_raise(data):
    read_upload("p.tar.gz", data)
    read_upload("p.tar.xz", b"\xfd7zXZ\x00" + data)
    read_upload("p.zip", b"PK\x03\x04" + data)


def test_uploads_share_one_limit_and_none_hides_another_of_its_name():
    half = b"x" * (MAX_TOTAL_BYTES // 2)
    files, findings = read_uploads((name, half) for name in ("a", "b", "c"))
    assert sorted(files) == ["a", "b"]
    assert codes(findings) == ["files.E012"]
    files, findings = read_uploads([("pack.yaml", b"first"), ("p.zip", write_zip({"pack.yaml": b"second"}))])
    assert files == {"pack.yaml": b"first"}
    assert codes(findings) == ["files.E015"]


def test_what_was_taken_in_before_is_not_doubted_again():
    files = {"pack.yaml": b"pack: {}", "zeros": b"\0" * (20 * 1024 * 1024)}
    assert read_again("p.zip", write_zip(files)) == files


def test_an_archive_of_the_studio_gives_back_every_file():
    files = {".DS_Store": b"1", "a\\b": b"2", "zeros": b"\0" * (20 * 1024 * 1024)}
    assert read_zip(write_zip(files)) == files


@pytest.mark.parametrize(
    ("name", "own"), [("..", "file"), ("", "file"), ("C:x", "file"), ("d\\a\0b.yaml", "a_b.yaml"), ("x" * 300, "file")]
)
def test_a_single_file_under_a_name_that_no_pack_can_have_gets_another(name, own):
    assert read_upload(name, b"x") == ({own: b"x"}, [])
