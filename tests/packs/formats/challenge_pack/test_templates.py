import pytest

from packs.formats.challenge_pack.templates import context_of, placeholders, render, resolve, unresolved

CONTEXT = {"a": {"b": {"c": 1}}, "list": [1], "none": None, "text": "x", "a_1": True}


def test_inputs_with_a_value_win_over_the_payload():
    case = {
        "payload": {"a": 1, "b": 2},
        "inputs": [{"key": " a ", "kind": "t", "value": 5}, {"key": "b", "kind": "t"}, {"key": "c", "value": 0}],
    }
    assert context_of(case) == {"a": 5, "b": 2, "c": 0}


def test_a_case_of_wrong_types_offers_nothing():
    assert context_of({"payload": [], "inputs": [5, {"key": 1}]}) == {}


def test_names_are_listed_once_in_their_order():
    assert placeholders("{{ b }} {{a.c}} {{b}} {{no-hyphen}} {{1}} { {d} } {{}}") == ["b", "a.c"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.b.c", (True, 1)),
        ("none", (True, None)),
        ("list.0", (False, None)),
        ("a.x", (False, None)),
        ("z", (False, None)),
    ],
)
def test_a_dotted_name_walks_mappings_only(name, expected):
    assert resolve(name, CONTEXT) == expected


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("as is ", "as is "),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        (12, "12"),
        (2.50, "2.5"),
        (3.0, "3"),
        (1 / 3, "0.333333"),
        ([1, {"a": "ü"}], '[1,{"a":"ü"}]'),
        ({"n": 2.0}, '{"n":2}'),
    ],
)
def test_values_are_printed_compactly(value, shown):
    assert render("<{{v}}>", {"v": value}) == f"<{shown}>"


def test_what_does_not_resolve_stays_and_is_listed():
    assert render("{{text}} {{gone.x}} {other}", CONTEXT) == "x {{gone.x}} {other}"
    assert unresolved("{{text}} {{gone.x}} {{gone.x}}", CONTEXT) == ["gone.x"]


def test_a_replaced_value_is_not_a_template_again():
    assert render("{{a}}", {"a": "{{b}}", "b": "no"}) == "{{b}}"
