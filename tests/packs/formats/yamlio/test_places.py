import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.yamlio import GO_YAML, Mark, locate, read

TEXT = """\
# a comment
pack:
  slug: 007
  name: "yes"
sets:
  - key: a
    cases: [{k: 1}, {k: 2}]
  - cases:
      - k: |
          long
"""


@pytest.mark.parametrize(
    ("path", "mark"),
    [
        ((), Mark(2, 1, "", False, 2, 1)),
        (("pack",), Mark(3, 3, "", False, 2, 1)),
        (("pack", "slug"), Mark(3, 9, "007", True, 3, 3)),
        (("pack", "name"), Mark(4, 9, "yes", False, 4, 3)),
        (("sets", 0, "cases", 1, "k"), Mark(7, 25, "2", True, 7, 22)),
        (("sets", 1, "cases", 0, "k"), Mark(9, 12, "long\n", False, 9, 9)),
    ],
)
def test_a_value_is_found_with_its_text_and_the_place_of_its_key(path, mark):
    assert locate(TEXT, [path]) == {path: mark}


def test_a_missing_key_has_the_place_of_its_nearest_ancestor():
    paths = [("pack", "family"), ("pack", "slug", "x"), ("sets", 9, "cases"), ("nowhere", 0), ("sets", 0, "cases", "k")]
    found = locate(TEXT, paths)
    assert [(found[path].line, found[path].column) for path in paths] == [(3, 3), (3, 9), (6, 3), (2, 1), (7, 12)]


def test_what_is_missing_deep_down_does_not_hide_what_comes_later():
    text = "a:\n  b:\n    c: {d: 1}\n  e: 2\nf: 3\n"
    paths = [("a", "b", "c", "x"), ("a", "b", "y"), ("a", "e"), ("f",), ("a", "b", "c", "d", 0), ("a",) * 200]
    assert [mark.line for mark in locate(text, paths).values()] == [3, 3, 4, 5, 3, 2]


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", 0, 1, 2]), max_size=5).map(tuple), min_size=1, max_size=20))
def test_asking_for_many_places_at_once_gives_what_asking_for_each_gives(paths):
    text = "a: {a: [1, 2], b: {c: 3}}\nb:\n  - a\n  - - b\n    - c: {a: 1}\nc:\n  b: x\n  c: [[], {a: 2}]\n"
    together = locate(text, paths)
    assert together == {path: locate(text, [path])[path] for path in paths}


def test_the_first_of_two_equal_keys_counts_as_in_reading():
    assert locate("a: 1\na: {b: 2}\n", [("a",)])[("a",)].line == 1


def test_values_behind_an_alias_have_the_place_of_the_alias():
    assert locate("a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n", [("c", "b")])[("c", "b")].line == 2


def test_broken_text_gives_what_could_be_found_before_the_break():
    found = locate("a: 1\nb: 2\nc: [\n", [("b",), ("z",)])
    assert (found[("b",)].line, found[("z",)].line) == (2, 1)


def test_a_key_that_is_a_list_does_not_confuse_what_follows():
    assert locate("[a, b]: 1\nc: 2\n", [("c",)])[("c",)].line == 2


@pytest.mark.parametrize("text", ["", "\0", b"\xff", "[" * 1000])
def test_text_that_cannot_be_read_gives_its_first_line(text):
    assert locate(text, [("a", 0)])[("a", 0)].line == 1


@given(st.binary(max_size=100), st.lists(st.lists(st.sampled_from(["a", "b", 0, 1])).map(tuple)))
def test_it_never_raises_and_answers_every_path(data, paths):
    assert locate(data, paths).keys() == set(paths)


def test_every_value_of_a_tree_is_found_at_the_line_where_it_stands():
    lines = [f"- k: value-{index}" for index in range(50)]
    value, _ = read("\n".join(lines), dialect=GO_YAML)
    found = locate("\n".join(lines), [(index, "k") for index in range(len(value))])
    assert [mark.line for mark in found.values()] == list(range(1, 51))
