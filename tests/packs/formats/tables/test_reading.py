import io
import json

import pytest

from packs.formats.tables import Trouble, read_beginning, read_table


@pytest.mark.parametrize("text", ["a\tb\n1\tx, y\n", 'a,b\r\n1,"x, y"\r\n', "\ufeffa;b\n1;x, y", 'a,b\n\n,\n1,"x, y"'])
def test_the_first_line_says_how_a_table_is_separated(text):
    table = read_table(text)
    assert table.names == ("a", "b")
    assert [record for _, record in table.records] == [("1", "x, y")]


def test_records_know_their_line_and_short_ones_are_filled_up():
    table = read_table('a,b\n"one\ntwo",x\nthree\n')
    assert table.records == ((2, ("one\ntwo", "x")), (4, ("three", "")))
    assert read_table("x\ty", has_names=False).names == ("1", "2")
    assert read_table("").records == ()


def test_columns_without_a_name_or_with_the_same_one_are_told_apart():
    assert read_table("id,,note,note,\nrow-1,a,b,c,d\n").names == ("id", "2", "note", "note (4)", "5")
    assert read_table("a,a,a (2),2,\n1,2,3,4,5").names == ("a", "a (2)", "a (2) (3)", "2", "5")


def test_a_line_that_is_no_csv_is_told_and_the_others_are_read(monkeypatch):
    long = "x" * 9_000_000
    table = read_table(f"a,b\n1,2\n{long},3\n4,5\n")
    assert [record for _, record in table.records] == [("1", "2"), ("4", "5")]
    assert [trouble.line for trouble in table.troubles] == [3]


@pytest.mark.parametrize("start", ["", "\ufeff", "\n \n"])
def test_json_lines_are_no_csv(start):
    table = read_table(start + '{"id": "a, b", "input": {"question": "Why, \\"so\\"?"}}\n\n{"id": "c", "n": 2}\n')
    assert table.names == ("id", "input.question", "n")
    assert table.pointers == ("/id", "/input/question", "/n")
    assert [record[0] for _, record in table.records] == ["a, b", "c"]
    assert table.records[0][1][1] == 'Why, "so"?'
    assert table.records[1][1][2] == 2


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"PK\x03\x04\x14\x00xl/workbook.xml", "workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "workbook"),
        (b"%PDF-1.7\nquestion,answer", "not a text file"),
        (b"BM\0\0\x01\x02\0\x03\x04\0\x05\n", "not a text file"),
        (b'[["question", "answer"], ["Why?", "So"]]', "not objects"),
        (b'["Why?"]', "not objects"),
    ],
)
def test_what_is_no_table_is_said_to_be_none(data, word):
    for table in (read_table(data), read_beginning(io.BytesIO(data), 1000)):
        ((line, reason),) = ((trouble.line, trouble.reason) for trouble in table.troubles)
        assert (table.names, line) == ((), 0)
        assert word in reason


def test_text_in_brackets_is_a_column_like_others():
    assert read_table('["draft"] what,b\n1,2\n').names == ('["draft"] what', "b")


@pytest.mark.parametrize("indent", [None, 2])
def test_rows_with_a_cover_around_them_are_the_table(indent):
    rows = [{"id": "a", "question": "Why?"}, {"id": "b"}]
    table = read_table(json.dumps({"data": rows, "version": 1}, indent=indent))
    assert table.names == ("id", "question")
    assert [record[0] for _, record in table.records] == ["a", "b"]


def test_a_cover_is_seen_in_the_beginning_of_a_long_file():
    rows = [{"id": str(number), "question": "Why?"} for number in range(100)]
    for indent in (None, 2):
        data = json.dumps({"name": "Ferries", "data": rows}, indent=indent).encode()
        table = read_beginning(io.BytesIO(data), 2000)
        assert table.names == ("id", "question")
        assert 10 < len(table.records) < 100
        assert table.troubles == ()


def test_one_object_of_several_lines_is_one_row():
    table = read_table(json.dumps({"id": "a", "messages": [{"role": "user"}]}, indent=2))
    assert table.records == ((1, ("a", [{"role": "user"}])),)
    lines = '{"data": [{"a": 1}]}\n{"data": [{"a": 2}]}\n'
    assert read_table(lines).names == ("data",)


def test_the_table_says_how_its_letters_were_read():
    assert "Windows-1252" in read_table("Größe,b\n1,2\n".encode("cp1252")).note
    assert read_table("Größe,b\n1,2\n".encode()).note == ""


def test_lines_that_hold_no_object_are_told():
    table = read_table('{"a": 1}\n[1]\n{"a": \n{"a": 2}\n')
    assert [(line, record[0]) for line, record in table.records] == [(1, 1), (4, 2)]
    assert [trouble.line for trouble in table.troubles] == [2, 3]
    assert table.troubles[0] == Trouble(2, "This line is not a JSON object.")


def test_a_list_of_objects_is_no_csv_and_no_json_lines():
    table = read_table('[{"id": "a", "input": {"question": "Why?"}},\n {"id": "b"}]'.encode("utf-16"))
    assert table.names == ("id", "input.question")
    assert [line for line, _ in table.records] == [1, 2]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_beginning_of_a_file_ends_with_a_whole_line(encoding):
    data = ("id,Größe\n" + "".join(f"{number},ä{number}\n" for number in range(50))).encode(encoding)
    whole = read_table(data)
    for size in range(30, 60):
        found = read_beginning(io.BytesIO(data), size)
        assert found.names == whole.names
        assert found.records == whole.records[: len(found.records)]
        assert found.troubles == ()
    assert read_beginning(io.BytesIO(data), len(data) + 1) == whole
