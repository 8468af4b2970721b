import jsonschema_rs
import pytest

from packs.formats.beginning import ANSWERS, AnswerRefused, Fact, First
from packs.formats.kinds import KINDS


def first(answer):
    return First("Where is it?", answer)


def test_every_kind_of_check_is_a_kind_of_grader():
    assert set(ANSWERS) <= set(KINDS)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("42", (42, 0)),
        (" -4.5 ± 0.25 ", (-4.5, 0.25)),
        ("1+-2", (1, 2)),
        (".5 +/- .1", (0.5, 0.1)),
    ],
)
def test_a_number_is_read_with_its_tolerance(text, found):
    assert first(text).number() == found


@pytest.mark.parametrize("text", ["", "Leeds", "42 Leeds", "42 ±", "nan", "1e400", "9" * 400])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(AnswerRefused, match="Write a number"):
        first(text).number()


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("hub = Leeds", Fact("hub", "Leeds")),
        ('$.hub = "7"', Fact("hub", "7")),
        ("hubs[1].size=7", Fact("hubs[1].size", 7)),
        ('a = "x = y"', Fact("a", "x = y")),
        ("a = null", Fact("a", None)),
    ],
)
def test_a_place_in_the_json_is_read_with_its_value(text, fact):
    assert first(text).fact() == fact


@pytest.mark.parametrize("text", ["", "hub", "hub =", "= 7", "a..b = 1", "$ = 1", "$.* = 1"])
def test_what_names_no_place_and_value_is_refused(text):
    with pytest.raises(AnswerRefused, match="place and its value"):
        first(text).fact()


def test_the_example_of_a_fact_fulfils_its_schema_and_other_json_does_not():
    fact = Fact("hubs[1].name", "Leeds")
    check = jsonschema_rs.validator_for(fact.schema())
    assert fact.example() == {"hubs": [None, {"name": "Leeds"}]}
    assert check.is_valid(fact.example())
    assert not any(
        check.is_valid(other) for other in ({}, {"hubs": [{"name": "Leeds"}]}, {"hubs": [1, {"name": "York"}]})
    )
