from dataclasses import replace

import pytest

from packs.formats.leaks import Leak, leaks, leaks_in
from packs.formats.task import Answer, Environment, EvidenceCase, Task, WorkspaceFile


def found_in(text, *answers):
    given = [Answer(("answer",), answer) for answer in answers]
    return [leak.answer.text for leak in leaks_in(given, lambda answer: [("context", {"deep": [text]})])]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It lies at the LEEDS   hub.", "Leeds hub"),
        ("def double(x):\n    return x * 2\n# end", "def double(x):\n  return x * 2"),
        ("'Leeds hub'", "Leeds hub."),
    ],
)
def test_an_answer_is_found_whatever_its_case_blanks_and_stops(text, answer):
    assert found_in(text, answer) == [answer]


@pytest.mark.parametrize(
    ("text", "answer"), [("a b c", "b"), ("Say yes or no.", "yes"), ("The leedshubs", "leeds"), ("x", "x" * 9)]
)
def test_trivial_answers_and_parts_of_words_are_no_leak(text, answer):
    assert found_in(text, answer) == []


def test_nothing_is_read_for_answers_that_tell_nothing():
    assert list(leaks_in([Answer((), "no")], lambda answer: pytest.fail("was read"))) == []


def test_the_gold_answer_counts_where_a_format_says_nothing_of_answers():
    told = replace(task_with(prompt="It is the Leeds hub."), reference="Leeds hub")
    assert leaks(told, lambda file: None) == []
    [leak] = leaks(replace(told, answers=None), lambda file: None)
    assert (leak.answer.path, leak.place) == ((), "prompt")


def task_with(*answers, prompt="", visible=None, files=()):
    return Task(
        format="f",
        challenge_key="c",
        input_set_key="s",
        case_key="k",
        title="T",
        prompt=prompt,
        visible=visible or {},
        hidden={},
        evidence=EvidenceCase({}),
        environment=Environment(files=files),
        answers=answers,
    )


ANSWER = Answer(("eval", "answer"), "Leeds hub")
CHOICE = Answer(("eval", "answer"), "Leeds hub", is_offered=True)
CHOICES = {"choices": ["Leeds hub", "York"]}


def test_a_task_tells_where_its_answer_can_be_read():
    files = (WorkspaceFile("a.txt", asset_key="a"), WorkspaceFile("b.txt", asset_key="b"))
    task = task_with(ANSWER, files=files)
    texts = {"a": None, "b": "the leeds hub"}
    assert leaks(task, lambda file: texts[file.asset_key]) == [Leak(ANSWER, "b.txt")]
    assert leaks(task_with(ANSWER, prompt="Leeds hub?"), lambda file: None) == [Leak(ANSWER, "prompt")]


def test_a_choice_may_stand_among_the_choices_and_nowhere_else():
    shown = task_with(CHOICE, prompt="A. Leeds hub", visible=CHOICES, files=(WorkspaceFile("task.json", "Leeds hub"),))
    assert leaks(shown, lambda file: None) == []
    told = task_with(CHOICE, visible={**CHOICES, "question": "Is it the Leeds hub?"})
    assert leaks(told, lambda file: None) == [Leak(CHOICE, "context")]
