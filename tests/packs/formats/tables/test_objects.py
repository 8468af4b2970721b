import pytest

from packs.editing.values import ABSENT
from packs.formats.tables.objects import is_array, is_lines, read_array, read_lines


def test_values_inside_of_objects_have_places_of_their_own():
    lines = read_lines('{"a": {"b": {"c": 1}, "d": [1, {"e": 2}]}, "f": {}, "g": null}')
    assert lines.places == (("a", "b", "c"), ("a", "d"), ("f",), ("g",))
    assert lines.records == ((1, (1, [1, {"e": 2}], {}, None)),)


def test_what_an_object_does_not_say_is_no_value():
    lines = read_lines('{"a": 1}\n{"b": null, "a": {"x": 2}}')
    assert lines.places == (("a",), ("b",), ("a", "x"))
    assert [record for _, record in lines.records] == [(1, ABSENT, ABSENT), (ABSENT, None, 2)]


def test_places_that_read_the_same_are_told_apart():
    assert list(read_lines('{"a": {"b": 1}, "a.b": 2, "": 3, "c": 4}').names) == ["/a/b", "/a.b", "/", "c"]


def test_a_repeated_key_is_an_error_of_its_line():
    lines = read_lines('{"a": 1, "a": 2}\n{"a": 3}')
    assert [line for line, _ in lines.records] == [2]
    assert [line for line, _ in lines.errors] == [1]


def test_only_objects_begin_json_lines():
    assert all(map(is_lines, ['{"a": 1}', " {}", '\n{ "a":1}']))
    assert not any(map(is_lines, ["a,b", "[1]", "{a},{b}", "", "{{name}},x"]))


ARRAY = '[\n  {"a": 1},\n  {"a": 2,\n   "b": [3]}\n]\n'


def test_an_array_of_objects_is_read_as_lines_are():
    found = read_array(ARRAY)
    assert (found.places, found.records, found.errors) == ((("a",), ("b",)), ((2, (1, ABSENT)), (3, (2, [3]))), ())
    assert read_array("[]").records == ()
    assert all(map(is_array, [ARRAY, "[]", " [ {"]))
    assert not any(map(is_array, ["[a],b", "[1, 2]", '{"a": []}', "a,b"]))


def test_elements_in_one_line_have_numbers_of_their_own():
    found = read_array('[{"a": 1}, {"a": 2}, 7, {"a": 3}\n, {"b": 1, "b": 2}]')
    assert found.records == ((1, (1,)), (2, (2,)), (4, (3,)))
    assert [number for number, _ in found.errors] == [3, 5]
    assert [number for number, _ in read_array('[{"a": 1}, {"a": 2} {"a": 3}]').errors] == [3]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('[{"a": 1}\n{"a": 2}]', [2]),
        ('[{"a": 1},\n {"a": }]', [2]),
        ('[{"a": 1}', [1]),
        ('[{"a": 1},\n 7,\n {"a": 2}]', [2]),
        ('[{"a": 1}]\n x', [1]),
        ('[{"a": 1},\n {"b": 1, "b": 2}]', [2]),
        ('[{"a": ' + "9" * 5000 + "}]", [1]),
        ('[{"a": ' + "[" * 100_000, [1]),
    ],
)
def test_what_breaks_an_array_is_told_with_its_line(text, lines):
    found = read_array(text)
    assert [line for line, _ in found.errors] == lines


@pytest.mark.parametrize("size", range(1, len(ARRAY)))
def test_a_beginning_of_an_array_has_the_elements_that_are_whole(size):
    found = read_array(ARRAY[:size], is_beginning=True)
    assert found.errors == ()
    assert found.records == read_array(ARRAY).records[: len(found.records)] or found.places != (("a",), ("b",))
