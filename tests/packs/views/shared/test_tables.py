from django.core.files.uploadedfile import SimpleUploadedFile

from packs import blobs
from packs.models import Upload
from packs.views.shared import tables


def test_what_cannot_be_a_table_is_refused_with_its_own_sentence(monkeypatch):
    monkeypatch.setattr(tables, "MAX_BYTES", 2 * 1024 * 1024)
    large = SimpleUploadedFile("a.csv", b"x" * (2 * 1024 * 1024 + 1))
    assert tables.refusal_of(None, " \n") == "Paste cells, or choose a file."
    assert tables.refusal_of(SimpleUploadedFile("a.csv", b""), "") == "a.csv is empty."
    assert tables.refusal_of(large, "") == "The file is larger than 2 MB."
    assert tables.refusal_of(SimpleUploadedFile("a.csv", b"a"), "") == ""
    assert tables.refusal_of(None, "a\tb") == ""
    assert "workbook" in tables.refusal_of(SimpleUploadedFile("a.xlsx", b"PK\x03\x04\x14"), "")
    assert tables.refusal_of(None, "[]") == "The table has no rows."
    assert tables.refusal_of(None, '{"a": \n{"b":').startswith("Line 1: This is not valid JSON")


def test_of_a_long_table_the_beginning_is_read(team, author, monkeypatch):
    monkeypatch.setattr(tables, "MAX_READ", 20)
    monkeypatch.setattr(tables, "HEAD", 10)
    for text, lines in ((b"a,b\n1,2\n3,4\n", [2, 3]), (b"a,b\n" + b"1,2\n" * 9, [2])):
        waiting = Upload(team=team, user=author, blob=blobs.put(text))
        assert [line for line, _ in tables.read_upload(waiting, has_names=True).records] == lines


def test_lines_that_cannot_be_read_refuse_a_table_and_errors_do_unless_they_are_taken():
    fine = {"refused": 0, "broken": 0, "elsewhere": 0}
    assert not tables.is_refused(fine, takes_errors=False)
    for name in ("broken", "elsewhere"):
        assert tables.is_refused({**fine, name: 1}, takes_errors=False)
        assert not tables.is_refused({**fine, name: 1}, takes_errors=True)
    assert tables.is_refused({**fine, "refused": 1}, takes_errors=True)
