import pytest

from packs.formats.comparing.merging import ABSENT, Merging, Three, merge_text


def merged(base, ours, theirs, chosen=()):
    merging = Merging(lambda conflict: conflict.label in chosen)
    value = merging.merge(Three(base, ours, theirs))
    return value, [(found.label, *found.values) for found in merging.conflicts]


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ({"a": 1, "b": 2}, {"a": 3, "b": 2}, {"a": 1, "b": 4}, {"a": 3, "b": 4}),
        ({"a": {"x": 1, "y": 1}}, {"a": {"x": 2, "y": 1}}, {"a": {"x": 1, "y": 2}, "z": 0},
         {"a": {"x": 2, "y": 2}, "z": 0}),
        ({"a": 1, "b": 2}, {"b": 2}, {"a": 1, "b": 3}, {"b": 3}),
        ({"a": 1}, {"a": 2}, {"a": 2}, {"a": 2}),
        (["a", "b"], ["a", "b", "c"], ["n", "a", "b"], ["n", "a", "b", "c"]),
        (["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"], ["a", "b", "c", "d"]),
        ([{"key": "x", "v": 1}, {"key": "y"}], [{"key": "y"}, {"key": "x", "v": 1}],
         [{"key": "x", "v": 2}, {"key": "y"}],
         [{"key": "y"}, {"key": "x", "v": 2}]),
        ([{"key": "x", "v": 1}], [{"key": "x", "v": 1}, {"key": "o"}], [{"key": "x", "v": 1}, {"key": "t"}],
         [{"key": "x", "v": 1}, {"key": "o"}, {"key": "t"}]),
        ({}, {"a": {"x": 1}}, {"a": {"y": 1}}, {"a": {"x": 1, "y": 1}}),
        ({"t": "1\n2\n3\n"}, {"t": "0\n1\n2\n3\n"}, {"t": "1\n2\n4\n"}, {"t": "0\n1\n2\n4\n"}),
    ],
)  # fmt: skip
def test_what_one_side_changed_is_taken_from_it(base, ours, theirs, expected):
    assert merged(base, ours, theirs) == (expected, [])


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "conflict", "chosen"),
    [
        ({"a": 1}, {"a": 2}, {"a": 3}, ("a", 1, 2, 3), {"a": 3}),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, {}, ("a", {"b": 1}, {"b": 2}, ABSENT), {}),
        ({}, {"a": 1}, {"a": None}, ("a", ABSENT, 1, None), {"a": None}),
        ({"a": 1}, {"a": 1.0}, {"a": True}, ("a", 1, 1.0, True), {"a": True}),
        ([{"id": "x", "v": 1}], [{"id": "x", "v": 2}], [{"id": "x", "v": 3}], ("[0].v", 1, 2, 3),
         [{"id": "x", "v": 3}]),
        ({"t": "1\n2\n"}, {"t": "1\n3\n"}, {"t": "1\n4\n"}, ("t", "1\n2\n", "1\n3\n", "1\n4\n"), {"t": "1\n4\n"}),
        ({}, {"a": ["o"]}, {"a": ["t"]}, ("a", ABSENT, ["o"], ["t"]), {"a": ["t"]}),
    ],
)  # fmt: skip
def test_what_both_changed_is_a_conflict_and_says_what_the_own_side_says(base, ours, theirs, conflict, chosen):
    assert merged(base, ours, theirs) == (ours, [conflict])
    assert merged(base, ours, theirs, {conflict[0]})[0] == chosen
    assert repr(merged(base, ours, theirs, {conflict[0]})[0]) == repr(chosen)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("1\n2\n3\n4\nend", "0\n2\n3\n4\n5\n", "0\n2\n3\n4\nend"),
        ("2\n3\n4\n5\n", "1\n2\n3\n4\n", "2\n3\n4\n"),
        ("1\nx\n3\n4\n5\n", "1\n2\ny\n4\n5\n", None),
        ("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\n5\n7\n", None),
        ("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\n5\n6\n"),
    ],
)
def test_lines_of_texts_are_merged_where_they_do_not_touch(ours, theirs, expected):
    base = "1\n2\n3\n4\n5\n"
    assert merge_text(Three(base, ours, theirs)) == expected
