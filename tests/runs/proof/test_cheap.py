"""Cheap answers: what nobody worked for."""

from dataclasses import replace

from runs.proof.cheap import Neighbour, cheap_answers, choices_of, other_choices, rubrics_of
from runs.proof.probes import Code, Work
from tests.runs.proof.makers import choice, compiled, rows, task_of


def of(code, task, reference="Leeds", others=()):
    return [probe.work.text for probe in cheap_answers(task, Work(reference), "here", others) if probe.code is code]


def test_the_prompt_and_inputs_are_said_back_but_not_where_they_are_the_answer():
    task = task_of("one")
    assert task.prompt in of(Code.ACCEPTS_ECHO, task)
    assert task.prompt not in of(Code.ACCEPTS_ECHO, task, reference=task.prompt)


def test_answers_of_other_cases_are_tried_unless_their_graders_look_for_the_same():
    others = [
        Neighbour("two", "York", "there"),
        Neighbour("three", "leeds.", "there"),
        Neighbour("four", "Hull", "here"),
    ]
    assert of(Code.ACCEPTS_OTHER_CASE, task_of("one"), others=others) == ["York"]


def test_all_answers_at_once_have_the_right_one_first_and_last():
    others = [Neighbour("two", "York", "there"), Neighbour("three", "Hull", "there")]
    assert of(Code.ACCEPTS_EVERYTHING, task_of("one"), others=others) == ["Leeds, York, Hull", "York, Hull, Leeds"]
    assert of(Code.ACCEPTS_EVERYTHING, task_of("one"), reference="7") == ["7, 6, 8", "6, 8, 7"]
    long = "It is at the hub in Leeds, and it leaves on Friday."
    assert of(Code.ACCEPTS_EVERYTHING, task_of("one"), reference=long, others=others) == []


def test_choices_are_named_by_their_letters():
    _, [task] = compiled(rows(choice("B", "red", "green", "blue")))
    assert choices_of(task) == ["A", "B", "C"]
    assert of(Code.ACCEPTS_EVERYTHING, task, reference="B") == ["B, A, C", "A, C, B"]


def test_choices_that_the_question_offers_are_tried_each_and_all_at_once():
    task = replace(task_of("one"), question="Is it low, medium or high?")
    assert choices_of(task, "low") == ["low", "medium", "high"]
    assert of(Code.ACCEPTS_EVERYTHING, task, reference="low") == ["low, medium, high", "medium, high, low"]
    assert [probe.work.text for probe in other_choices(task, "low")] == ["medium", "high"]


def test_where_several_choices_are_right_none_is_taken_for_wrong():
    _, [task] = compiled(rows(choice(["A", "C"], "red", "green", "blue")))
    assert list(other_choices(task, "A")) == []


def test_the_words_of_a_rubric_are_tried():
    rubric = {"type": "contains_any", "accepted_answers": ["the wind", "a storm"]}
    _, [task] = compiled(rows(("free_response", {"prompt": "Why?"}, {"rubric": rubric})))
    assert "the wind a storm" in rubrics_of(task)[0]
