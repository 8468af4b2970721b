"""Asking several models, within their time and what they may use up."""

import threading
import time
from dataclasses import replace

import pytest

from runs.agents.endpoints.contract import EndpointFailed, ModelReply, Trouble
from runs.grading.judges.calls import LIMIT, NOT_CONNECTED, Bench, Question, ask_all
from runs.grading.judges.limits import Allowance
from tests.openai_server import Answer, trouble
from tests.runs.grading.judges.benches import Notes, bench_to, rubric, scores

MESSAGES = ({"role": "user", "content": "Judge."},)


def questions(*models, samples=1, judge=None):
    judge = judge or rubric()
    return [Question(judge, model, sample, MESSAGES) for model in models for sample in range(samples)]


def problems(answers):
    return [answer.problem for answer in answers]


@pytest.mark.parametrize("threads", [1, 3])
def test_every_question_has_its_own_answer_in_its_place(model_server, threads):
    model_server.answer = lambda request: Answer(request["model"], delay=0.05 if request["model"] == "a" else 0)
    notes = Notes()
    bench = bench_to(model_server, "a", "b", threads=threads)
    answers = ask_all(questions("a", "b", samples=2), bench, Allowance(), notes)
    assert [(answer.text, answer.question.sample) for answer in answers] == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]
    assert sorted(answer.event for answer in answers) == [1, 2, 3, 4]
    assert len(notes.answers) == 4
    assert all(answer.usage.total_tokens == 10 and answer.connection == "models" for answer in answers)


def test_several_are_asked_at_once_but_no_more_than_there_are_threads(model_server):
    model_server.reply(scores(3), together=3)
    ask_all(questions("small", samples=6), bench_to(model_server, threads=3), Allowance(), Notes())
    assert model_server.most_busy == 3


def test_threads_are_left_as_they_were_found(model_server):
    left = []
    bench = replace(bench_to(model_server, threads=2), leave_thread=lambda: left.append(threading.get_ident()))
    ask_all(questions("small", samples=3), bench, Allowance(), Notes())
    assert len(left) == 3
    assert threading.get_ident() not in left


@pytest.mark.parametrize("threads", [1, 2])
def test_a_model_without_a_connection_is_not_asked_and_not_told(model_server, threads):
    notes = Notes()
    answers = ask_all(questions("small", "other"), bench_to(model_server, threads=threads), Allowance(), notes)
    assert problems(answers) == ["", NOT_CONNECTED]
    assert "other" in answers[1].error
    assert [answer.question.model for answer in notes.answers] == ["small"]


@pytest.mark.parametrize("threads", [1, 4])
def test_limits_stop_the_calls_and_hit_all_models_alike(model_server, threads):
    # Ten tokens each, though a call is thought to take more: so one goes after the other.
    answers = ask_all(
        questions("a", "b", samples=2), bench_to(model_server, "a", "b", threads=threads), Allowance(tokens=15), Notes()
    )
    assert problems(answers) == ["", LIMIT, "", LIMIT]
    assert len(model_server.requests) == 2


def test_trouble_of_a_model_is_an_answer_with_its_kind(model_server):
    model_server.script([trouble(401, "Wrong key sk-planted-4711."), trouble(500), "fine"])
    answers = ask_all(questions("small", samples=3), bench_to(model_server), Allowance(), Notes())
    assert problems(answers) == ["authentication", "server", ""]
    assert not any("sk-planted" in answer.error for answer in answers)
    assert answers[0].asked_at is not None


def test_a_judge_s_own_time_limit_counts(model_server):
    model_server.reply("late", delay=60)
    judge = rubric(timeout_seconds=0.15)
    [answer] = ask_all(questions("small", judge=judge), bench_to(model_server), Allowance(), Notes())
    assert answer.problem == "timeout"


@pytest.mark.parametrize("threads", [1, 2])
def test_cancelling_breaks_off_calls_and_begins_no_others(model_server, threads):
    cancelled = threading.Event()

    def answer(request):
        cancelled.set()
        return Answer("late", delay=60)

    model_server.answer = answer
    bench = replace(bench_to(model_server, threads=threads), is_cancelled=cancelled.is_set)
    answers = ask_all(questions("small", samples=4), bench, Allowance(), Notes())
    assert set(problems(answers)) == {"cancelled"}
    assert 1 <= len(model_server.requests) <= threads


class Patient:
    """An endpoint that answers one call, and then waits until a call is given up."""

    name = provider = "patient"
    has_responses = False

    def __init__(self):
        self.asked = 0
        self.given_up = threading.Event()

    def ask(self, request):
        self.asked += 1
        if self.asked == 1:
            return ModelReply("quick", request.model)
        while not request.is_cancelled():
            time.sleep(0.01)
        self.given_up.set()
        raise EndpointFailed(Trouble.CANCELLED, "given up")

    respond = ask


def test_calls_under_way_are_given_up_when_taking_note_breaks():
    endpoint = Patient()

    def refuse(answer):
        raise LookupError(answer.text)

    with pytest.raises(LookupError):
        ask_all(questions("small", samples=2), Bench(lambda model: endpoint, threads=2), Allowance(), refuse)
    assert endpoint.given_up.is_set() or endpoint.asked == 1
