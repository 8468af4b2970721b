import pytest

from packs.formats import yamlio
from packs.formats.costs import MAX_ALIASED, MAX_BYTES, MAX_VALUES, is_costly, values_in


def counted(value):
    if isinstance(value, dict):
        return 1 + sum(map(counted, value.values()))
    return 1 + sum(map(counted, value)) if isinstance(value, list) else 1


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb: 2\nc: [1, 2, 3]\n",
        "{a: 1, b: {c: [x, y]}}",
        "- - - a\n- - b\n",
        "[" * 30 + "]" * 30,
        "a: 1\rb: 2\rc: 3\r",
        '{"a":[{},{},[]],"b":null}',
        "- a\n- b\n- {c: d}\n",
    ],
)
def test_no_text_has_more_values_than_are_expected_of_it(text):
    value, _ = yamlio.read(text, dialect=yamlio.CORE_12)
    assert counted(value) <= values_in(text.encode()) + 1


def test_a_file_of_the_largest_size_for_a_request_is_not_costly():
    assert not is_costly({"pack.yaml": b"a\n" * (MAX_VALUES - 1)})
    assert is_costly({"pack.yaml": b"a\n" * MAX_VALUES})
    assert not is_costly({"picture.png": bytes(MAX_BYTES)})
    assert is_costly({"picture.png": bytes(MAX_BYTES + 1)})


def test_files_are_weighed_together():
    half = b"a\n" * (MAX_VALUES // 2 + 1)
    assert not is_costly({"a.yaml": half})
    assert is_costly({"a.yaml": half, "b.yaml": half})


def test_what_aliases_stand_for_counts():
    long = b"x" * (MAX_ALIASED // 4)
    text = b"a: &a " + long + b"\nb: [*a, *a, *a]\n"
    assert not is_costly({"pack.yaml": text})
    assert is_costly({"pack.yaml": text + b"c: [*a, *a]\n"})


def test_signs_of_aliases_in_a_text_that_is_no_yaml_cost_nothing():
    assert yamlio.aliased(b"a && b ** c: [") == 0
