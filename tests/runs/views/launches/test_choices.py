import pytest
from django.http import QueryDict

from runs.launch.refusals import LaunchRefused
from runs.views.launches.choices import read_choice, whole_or_none


def choice(query):
    return read_choice(QueryDict(query))


def test_what_was_ticked_and_typed_becomes_the_options_of_a_launch():
    limits = "cost=2.5&tokens=900&within=4.5&at_once=4&limit=5"
    options = choice(f"set=a&agent=2&agent=2&agent=x&trials=3&{limits}").options("key")
    assert (options.input_set, options.trials, options.max_iterations, options.concurrency) == ("a", 3, 5, 4)
    budgets = {"cost_usd": 2.5, "total_tokens": 900, "interval_points": 4.5}
    assert (options.budgets, options.idempotency_key) == (budgets, "key")
    assert choice("agent=2&agent=2&agent=x").agents == (2,)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("trials=many", "invalid_trials"),
        ("limit=-1", "invalid_max_iterations"),
        ("at_once=1.5", "invalid_concurrency"),
        ("cost=much", "invalid_budgets"),
        ("tokens=1e3", "invalid_budgets"),
        ("tester=[", "invalid_tester"),
    ],
)
def test_what_is_no_number_is_refused_with_its_place(query, code):
    with pytest.raises(LaunchRefused) as refused:
        choice(query).options()
    assert refused.value.code == code


def test_limits_are_told_as_words_of_the_command_line_and_a_wrong_one_not_as_a_call():
    assert choice("cost=2&at_once=3").words() == ["--concurrency", "3", "--max-cost", "2"]
    assert choice("cost=2&at_once=3").members() == {"concurrency": 3, "budgets": {"cost_usd": 2.0}}
    assert choice("cost=much").members() == {}
    assert choice("cost=2").has_limits
    assert not choice("trials=2").has_limits


@pytest.mark.parametrize(("text", "number"), [("", None), ("3", 3), ("x", 0), ("1" * 9, 0)])
def test_a_number_of_trials_is_read_as_far_as_it_goes(text, number):
    assert whole_or_none(text) == number
