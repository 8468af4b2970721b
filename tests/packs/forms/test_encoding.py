import pytest

from packs.editing import ABSENT
from packs.forms.encoding import (
    TOO_MUCH,
    control_name,
    decode,
    decode_pointer,
    is_plain,
    read_json,
    read_number,
    split_name,
)


def test_names_are_ascii_whatever_the_key_holds():
    name = control_name("t", "/a\n/é/%/\ud800", optional=True)
    assert name.isascii()
    assert split_name(name) == ("t", True, "/a\n/é/%/\ud800")


@pytest.mark.parametrize("name", ["csrfmiddlewaretoken", "t", "q:/a", "t:a", "seen"])
def test_controls_that_are_not_about_a_document_are_passed_over(name):
    assert split_name(name) is None


def test_a_submitted_form_becomes_a_document_with_its_types():
    pairs = [("o:", ""), ("t:/a", "1"), ("n:/b", "1"), ("b:/c", "true"), ("z:/d", ""), ("l:/e", ""), ("j:/e/0", "{}")]
    assert decode(pairs).value == {"a": "1", "b": 1, "c": True, "d": None, "e": [{}]}


def test_line_breaks_arrive_as_browsers_send_them_and_are_kept_as_written():
    assert decode([("o:", ""), ("t:/a", "x\r\ny\r\n")]).value == {"a": "x\ny\n"}


def test_an_empty_optional_control_is_an_absent_value():
    pairs = [
        ("o:", ""),
        ("t?:/a", ""),
        ("o?:/b", ""),
        ("t?:/b/c", ""),
        ("l?:/d", ""),
        ("n?:/e", "0"),
        ("b?:/f", "false"),
    ]
    assert decode(pairs).value == {"e": 0, "f": False}


def test_of_a_checkbox_and_its_hidden_twin_the_last_counts():
    assert decode([("o:", ""), ("b:/a", "false"), ("b:/a", "true")]).value == {"a": True}


def test_a_number_that_is_none_is_kept_as_the_text_that_was_typed():
    assert [read_number(text) for text in ("12", "1.50", "1e3", "twelve", "1_000", "NaN")] == [
        12,
        1.5,
        1000.0,
        "twelve",
        "1_000",
        "NaN",
    ]


@pytest.mark.parametrize("text", ["{", '{"a": 1, "a": 2}', "[NaN]", ""])
def test_text_that_is_no_json_is_reported_and_gives_no_value(text):
    found = decode([("o:", ""), ("j:/a", text)])
    assert found.value == {}
    assert found.unreadable["/a"].text == text


def test_a_renamed_key_keeps_its_place_and_its_value():
    pairs = [("o:", ""), ("t:/a", "1"), ("r:/b", "x"), ("l:/b", ""), ("k:/b", "list"), ("t:/c", "3")]
    found = decode(pairs)
    assert list(found.value) == ["a", "x", "c"]
    assert found.kinds == {"/x": "list"}


def test_a_new_name_that_is_taken_changes_nothing():
    found = decode([("o:", ""), ("t:/a", "1"), ("r:/b", "a"), ("t:/b", "2")])
    assert found.value == {"a": "1", "b": "2"}
    assert found.clashes == ["/b"]


def test_only_what_lies_below_the_root_is_read():
    assert decode([("t:/a", "1"), ("t:/ab", "2")], "/a").value == "1"
    assert decode([("t:/a", "1")], "/b").value is ABSENT


def test_texts_that_a_browser_would_change_are_not_plain():
    assert [is_plain(text) for text in ("a\n\tb", "a\rb", "\0", "\x1b", "\x85", "\ud800", "é😀")] == [
        True,
        False,
        False,
        False,
        False,
        False,
        True,
    ]


def test_a_text_that_is_no_pointer_gives_none():
    assert decode_pointer("a/b") is None
    assert decode_pointer("") == ""


@pytest.mark.parametrize(("raw", "index"), [("2", 2), ("two", 0), ("²", 0), ("9" * 5000, 0)])
def test_a_variant_is_chosen_by_a_number_that_a_list_can_have(raw, index):
    assert decode([("v:/a", raw)]).variants == {"/a": index}


def test_json_of_more_values_than_a_request_can_check_is_not_read_and_stays(monkeypatch):
    monkeypatch.setattr("packs.forms.encoding.MAX_VALUES", 4)
    first, second = "[1, 2]", "[3, 4]"
    found = decode([("o:", ""), ("j:/a", first), ("j:/b", second)])
    assert found.value == {"a": [1, 2]}
    assert (found.unreadable["/b"].text, found.unreadable["/b"].reason) == (second, TOO_MUCH)


def test_of_many_keys_the_one_that_stands_twice_is_found():
    text = "".join(f'"k{at}": 0, ' for at in range(200_000))
    with pytest.raises(ValueError, match="'k199999' stands twice"):
        read_json(f'{{{text}"k199999": 1}}')
