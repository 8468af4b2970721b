import io
import sys
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from packs.editing.values import ABSENT
from packs.formats.later import Later
from packs.formats.tables import columnar, read_beginning, read_table

HEAD = b"PAR1" + bytes(20) + b"PAR1"


def test_without_pyarrow_people_read_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    for name in ("arrow", "parquet"):
        monkeypatch.setattr(columnar, name, Later({"arrow": "pyarrow"}.get(name, "pyarrow.parquet")))
    table = read_table(HEAD)
    assert table.records == ()
    assert [(trouble.line, "requirements-parquet.lock" in trouble.reason) for trouble in table.troubles] == [(0, True)]


@pytest.fixture
def written():
    """Write columns as a Parquet file; gives its bytes."""
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")

    def write(columns):
        out = io.BytesIO()
        parquet.write_table(arrow.table(columns), out)
        return out.getvalue()

    return write


def test_a_file_is_read_with_its_values_as_json(written):
    data = written(
        {
            "id": ["a", "b"],
            "n": [1, None],
            "share": [0.5, float("nan")],
            "price": [Decimal("1.25"), Decimal("7.00")],
            "when": [datetime(2026, 3, 2, tzinfo=UTC), None],
            "took": [timedelta(seconds=90), None],
            "raw": [b"text", b"\xff"],
            "inner": [{"question": "Why?", "tags": ["x", "y"]}, {"question": None, "tags": []}],
        }
    )
    table = read_table(data)
    assert table.names == ("id", "n", "share", "price", "when", "took", "raw", "inner.question", "inner.tags")
    assert table.pointers[7] == "/inner/question"
    (first, values), (second, others) = table.records
    assert (first, second) == (1, 2)
    assert values == ("a", 1, 0.5, 1.25, "2026-03-02T00:00:00+00:00", 90.0, "text", "Why?", ["x", "y"])
    assert (others[0], others[3], others[6], others[8]) == ("b", 7, "/w==", [])
    assert [others[at] for at in (1, 2, 4, 5, 7)] == [ABSENT] * 5


def test_of_a_long_file_only_the_beginning_is_unpacked(written):
    data = written({"id": list(range(5000))})
    assert len(read_table(data).records) == 5000
    assert len(read_beginning(io.BytesIO(data), 16).records) == 200


def test_a_damaged_file_is_told(written):
    data = written({"id": ["a"]})
    for broken in (data[:-6], data[:4] + data[20:], HEAD):
        table = read_table(broken)
        assert [trouble.line for trouble in table.troubles] == [0]
        assert "cannot be read" in table.troubles[0].reason
