import pytest

from packs.formats import adapter_of
from packs.formats.benchmark_pack import reader
from packs.formats.document import InputSet

ADAPTER = adapter_of("benchmark_pack")
MANIFEST = b"id: a\nversion: 1\n"
LINES = b'\xef\xbb\xbf {"id": "one", "family": null}\n\n  \nno json\n{"id": "tw\xc3\xb6", "x": 2.0}\r\n'


def load(data):
    return ADAPTER.load({"manifest.yaml": MANIFEST, "tasks.jsonl": data})


@pytest.fixture
def long_ones(monkeypatch):
    """Files of any length are read as long ones are."""
    monkeypatch.setattr(reader, "LONG", 0)


def test_a_long_file_has_the_same_rows_as_a_short_one(request):
    short, _ = load(LINES)
    request.getfixturevalue("long_ones")
    long, _ = load(LINES)
    assert type(long.input_sets[0].cases) is not tuple
    assert long == short
    assert short == long
    assert list(ADAPTER.check(long)) == list(ADAPTER.check(short))
    assert ADAPTER.dump(long) == ADAPTER.dump(short)


def test_rows_can_be_taken_by_index_and_in_slices(long_ones):
    cases = load(LINES)[0].input_sets[0].cases
    assert [case.key for case in cases[1:]] == ["", "twö"]
    assert cases[-1] == cases[2]
    assert InputSet("a", {}, cases) != InputSet("a", {}, cases[:2])
    with pytest.raises(IndexError):
        cases[3]


def test_lines_that_are_no_text_are_refused_by_their_number(long_ones):
    pack, findings = load(b'{"id": "one"}\n\xff\n{"id": "\xfe"}\n')
    assert pack is None
    assert [finding.line for finding in findings] == [2, 3]
