"""Canonical files with the bytes and names of the source where nothing was edited."""

from packs.formats.preserving import preserved

BEFORE = {"pack.yaml": b"a: 1\n", "rows.jsonl": b'{"id":"a"}\n'}


def test_a_file_whose_content_was_not_edited_keeps_its_bytes():
    source = {"pack.yaml": b"# mine\na:   1\n", "rows.jsonl": b'{"id": "a"}\n'}
    after = BEFORE | {"rows.jsonl": b'{"id":"b"}\n'}
    assert preserved(after, BEFORE, source) == {"pack.yaml": source["pack.yaml"], "rows.jsonl": after["rows.jsonl"]}


def test_the_one_file_with_another_name_keeps_that_name():
    source = {"mine.yml": b"a: 1 # one\n", "rows.jsonl": b""}
    assert preserved(BEFORE, BEFORE, source) == {"mine.yml": source["mine.yml"], "rows.jsonl": b""}
    assert preserved(BEFORE | {"pack.yaml": b"a: 2\n"}, BEFORE, source)["mine.yml"] == b"a: 2\n"
