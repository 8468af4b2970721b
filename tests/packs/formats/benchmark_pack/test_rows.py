import pytest

from packs.formats.benchmark_pack.rows import LINE, lines_of, ordered, read_line, tidy, write_row


def test_lines_are_counted_with_the_blank_ones_whatever_ends_them():
    assert list(lines_of(b"\n{}\r\n \t\n  {1}  ")) == [(2, b"{}"), (4, b"{1}")]


@pytest.mark.parametrize("line", [b"oops", b"[1]", b'{"a": NaN}', b'{"$line": "x"}', b'"\\ud83d"', b"[" * 200])
def test_a_line_that_is_no_row_stays_as_it_is(line):
    row, findings = read_line(line)
    assert findings == []
    assert row == {LINE: line.decode()}
    assert write_row(row, "") == line + b"\n"


def test_of_equal_keys_the_last_counts_and_the_loss_is_told():
    row, findings = read_line(b'{"id":"a","input":{"question":"x", "question":"y"},"id":"b"}')
    assert row == {"id": "b", "input": {"question": "y"}}
    assert {(finding.code, finding.path) for finding in findings} == {
        ("benchmark_pack.W002", ("id",)),
        ("benchmark_pack.W002", ("input", "question")),
    }


def test_a_number_that_cannot_be_kept_exactly_is_told():
    row, findings = read_line(b'{"id":"a","metadata":{"n":123456789012345678901234567890}}')
    assert row["metadata"]["n"] == 1.2345678901234568e29
    assert [(finding.code, finding.path) for finding in findings] == [("json.W003", ("metadata", "n"))]


def test_a_row_written_with_spaces_reads_like_one_without():
    assert read_line(b'{"id": "a", "eval": {"answer": 2.0}}') == read_line(b'{"id":"a","eval":{"answer":2.0}}')


def test_whole_numbers_and_fractions_stay_apart():
    row, _ = read_line(b'{"id":"a","eval":{"accepted_answers":[2,2.0]}}')
    assert write_row(row, "short_answer") == b'{"id":"a","eval":{"accepted_answers":[2,2.0]}}\n'


def test_empty_parts_say_no_more_than_their_absence():
    row = {"id": "a", "family": None, "input": {}, "assets": [], "eval": None, "environment": {}, "metadata": {}}
    assert tidy(row) == {"id": "a"}


def test_parts_of_a_wrong_type_are_kept_to_be_mended():
    row = {"id": "a", "input": [], "assets": {}}
    assert tidy(row) is row


def test_the_keys_of_a_row_get_their_order_and_unknown_ones_follow():
    row = {"own": 1, "eval": {"tolerance": 1, "accepted_answers": []}, "id": "a", "metadata": {"z": 1, "a": 2}}
    found = ordered(row, "short_answer")
    assert list(found) == ["id", "eval", "metadata", "own"]
    assert list(found["eval"]) == ["accepted_answers", "tolerance"]
    assert list(found["metadata"]) == ["z", "a"]


def test_bytes_that_are_no_text_are_told_apart():
    with pytest.raises(UnicodeDecodeError):
        read_line(b'{"id": "\xff"}')
