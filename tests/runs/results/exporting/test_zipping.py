"""ZIPs that are sent while they are written."""

from io import BytesIO
from zipfile import ZipFile

from runs.results.exporting.zipping import PIECE, zipped


def test_each_file_is_sent_before_the_next_one_is_asked_for():
    asked = []

    def files():
        for number in range(3):
            asked.append(number)
            yield f"{number}.txt", bytes(2000)

    pieces = zipped(files())
    first = next(pieces)
    assert (asked, first[:2]) == ([0], b"PK")
    with ZipFile(BytesIO(first + b"".join(pieces))) as archive:
        assert archive.namelist() == ["0.txt", "1.txt", "2.txt"]


def test_an_open_file_is_packed_piece_by_piece_and_every_name_is_taken():
    long = bytes(range(256)) * (PIECE // 100)
    pieces = list(zipped([("long", BytesIO(long)), ("b\udcffd", b"named"), ("none", b"")]))
    assert max(map(len, pieces)) < len(long)
    with ZipFile(BytesIO(b"".join(pieces))) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == {"long": long, "b?d": b"named", "none": b""}
