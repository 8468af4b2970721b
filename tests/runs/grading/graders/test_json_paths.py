import pytest

from runs.grading.graders.json_paths import BadPath, find, is_missing, read_path


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("$", []),
        ("$.a-b_1[0][ 12 ]", ["a-b_1", 0, 12]),
        (r'$["a\"b"]', ['a"b']),
        ("$['it''s']"[:5] + "']", ["it"]),
        (r"$['it\'s']", ["it's"]),
        ('$["]"]', ["]"]),
    ],
)
def test_a_path_is_read_into_keys_and_indices(path, steps):
    assert read_path(path) == steps


@pytest.mark.parametrize("path", ["a", "$a", "$.", "$[", '$["a]', "$.a" * 5_000])
def test_other_paths_are_refused(path):
    with pytest.raises(BadPath):
        read_path(path)


def test_a_step_that_does_not_fit_finds_nothing():
    assert find([{"a": None}], [0, "a"]) is None
    assert is_missing(find([1], ["0"]))
    assert is_missing(find({"0": 1}, [0]))
    assert is_missing(find("text", [0]))
