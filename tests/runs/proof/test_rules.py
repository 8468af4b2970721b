"""What the graders of a case say of its answers."""

from dataclasses import replace

import pytest

from packs.formats.task import GraderSpec
from runs.proof.rules import (
    asks_exactly,
    lone_expectation,
    looks_at_answer,
    mark_of,
    reads_events,
    tolerance_of,
    weakness_of,
)
from tests.runs.proof.makers import EXPECTED, TIDY, challenge, compiled, evals, rows, short, strings, task_of, tasks


def first(files):
    return compiled(files)[1][0]


def test_the_widest_tolerance_counts_and_shares_follow_the_number():
    both = {"v": ("numeric_match", EXPECTED, {"absolute_tolerance": 2, "relative_tolerance": 0.1})}
    assert tolerance_of(first(challenge(both, ["100"])), "100") == 10.0
    assert tolerance_of(first(challenge(both, ["10"])), "10") == 2.0
    assert tolerance_of(first(rows(short(42, tolerance=0.5))), "42") == 0.5
    assert tolerance_of(task_of("one"), "42") == 0.0


def test_a_case_asks_for_one_way_to_write_its_answer_in_words():
    assert asks_exactly(first(challenge({"v": TIDY}, ["Leeds"], asked="Answer with the name only.")))
    assert not asks_exactly(first(challenge({"v": TIDY}, ["Leeds"], asked="Where is it?")))


def test_cases_that_look_for_the_same_have_the_same_mark():
    same, again = (first(challenge({"v": TIDY}, ["Leeds", other])) for other in ("York", "Hull"))
    assert mark_of(same) == mark_of(again)
    assert mark_of(first(challenge({"v": TIDY}, ["York"]))) != mark_of(same)


def test_a_lone_expectation_is_the_answer_where_no_check_compares_with_it():
    assert lone_expectation(first(challenge({"v": ("regex_match", "literal:^L")}, ["Leeds"]))) == "Leeds"
    assert lone_expectation(first(challenge({"v": ("regex_match", "literal:^L")}, [{"a": 1}]))) == '{"a":1}'
    assert lone_expectation(first(challenge({"v": TIDY}, ["Leeds"]))) is None


def test_kinds_that_cannot_be_tight_say_what_is():
    assert "equals" in weakness_of(first(evals([{"type": "contains", "value": "a"}], ("b", "a"))))
    assert weakness_of(first(challenge({"v": TIDY}, ["Leeds"]))) == ""
    assert "whole answer" in weakness_of(first(challenge({"v": ("contains", EXPECTED)}, ["Leeds"])))


def test_checks_of_tool_calls_look_beside_answers():
    task = first(challenge({"v": TIDY}, ["Leeds"]))
    assert looks_at_answer(task)
    assert not reads_events(task)
    called = replace(task, graders=(GraderSpec("v", "tool_call_assertion", "tool_calls"),))
    assert not looks_at_answer(called)
    assert reads_events(called)


@pytest.mark.parametrize(
    ("patterns", "more", "is_said"),
    [
        (["^Leeds$"], {"regex": True}, False),
        ([r"(?i)\ALeeds( hub|)\z", "^York$"], {"regex": True}, False),
        (["^Leeds$", "York"], {"regex": True}, True),
        (["^Leeds$", "York"], {"regex": True, "mode": "all"}, False),
        (["^Leeds|York$"], {"regex": True}, True),
        ([r"^5\$"], {"regex": True}, True),
        # As a text it stands for itself.
        (["^Leeds$"], {}, True),
    ],
)
def test_patterns_that_are_anchored_are_not_told_to_be(patterns, more, is_said):
    said = weakness_of(first(tasks([strings(*patterns, **more)], "Leeds")))
    assert ("anchor it" in said) == is_said
