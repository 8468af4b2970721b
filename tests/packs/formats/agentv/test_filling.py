"""Placeholders of the environment and of a test's own `vars`."""

import pytest

from packs.formats.agentv.filling import fill, fill_test, interpolate, names_in, variables_of


def test_an_environment_is_read_line_by_line():
    text = "# a note\nexport NAME = 'a b'\nCOUNT=3\nQUOTED=\"x\"\nODD='x\"\nEMPTY=\n1BAD=x\nNAME=later\n"
    assert variables_of(text) == {"NAME": "later", "COUNT": "3", "QUOTED": "x", "ODD": "'x\"", "EMPTY": ""}


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("3.0", 3.0),
        ("9007199254740992", 2**53),
        ("9007199254740993", 2**53),
        ("9007199254740994", 9007199254740994.0),
        ("9" * 400, "9" * 400),
        ("1e3", "1e3"),
        ("true", True),
        ("false", False),
        ("True", "True"),
        ("text", "text"),
    ],
)
def test_a_text_that_is_one_name_becomes_the_value_that_it_says(stated, value):
    found = interpolate("${{ NAME }}", {"NAME": stated})
    assert (found, type(found)) == (value, type(value))
    assert interpolate("<${{NAME}}>", {"NAME": stated}) == f"<{stated}>"


def test_names_are_filled_in_at_any_depth_and_missing_ones_become_empty():
    value = {"a": ["${{ X }}-${{ GONE }}", 3], "b": "{{ X }}", "c": {"d": "${{ X }}"}}
    assert interpolate(value, {"X": "x"}) == {"a": ["x-", 3], "b": "{{ X }}", "c": {"d": "x"}}
    assert names_in(value) == {"X", "GONE"}


TEST = {
    "vars": {"town": "Hull", "box": {"size": [1, 2]}, "n": 3},
    "input": [{"role": "user", "content": "From {{ town }} with {{box.size}} and {{ none }}"}],
    "expected_output": "{{ n }}",
    "criteria": "{{ box.none }}",
    "note": "{{ town }}",
    "turns": [{"input": "{{ town }}", "expected_output": "{{ n }}", "note": "{{ town }}"}, "{{ town }}"],
}


def test_a_test_fills_its_own_values_into_the_fields_that_take_them():
    assert fill_test(TEST) == {
        "vars": TEST["vars"],
        "input": [{"role": "user", "content": "From Hull with [1,2] and {{ none }}"}],
        "expected_output": 3,
        "criteria": "{{ box.none }}",
        "note": "{{ town }}",
        "turns": [{"input": "Hull", "expected_output": 3, "note": "{{ town }}"}, "{{ town }}"],
    }
    assert fill("{{ town }}", TEST) == "Hull"


@pytest.mark.parametrize("values", [None, {}, [], "text"])
def test_without_values_nothing_is_filled_in(values):
    assert fill_test({**TEST, "vars": values})["turns"] == TEST["turns"]
    assert fill("{{ town }}", {"vars": values}) == "{{ town }}"
