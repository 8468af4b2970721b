from packs.editing.values import ABSENT
from packs.grid.lines import is_lines, read_lines


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
