"""Echo, empty and reference."""

import pytest

from runs.agents import echo, empty, reference
from runs.agents.contract import PackProblem, Request
from tests.runs.tasks import make_task


def ask(message="Where?", **more):
    return Request(make_task(reference=more.pop("reference", "the hub")), message, **more)


def test_echo_and_empty_do_what_they_say():
    assert echo.respond({}, ask()).text == "Where?"
    assert empty.respond({}, ask()).text == ""


def test_reference_gives_the_gold_answer():
    assert reference.respond({}, ask()).text == "the hub"
    assert reference.respond({}, ask(reference="")).text == ""


def test_reference_says_what_a_turn_expects():
    assert reference.respond({}, ask(expected=("a", "b", "a"))).text == "a\nb\nthe hub"
    assert reference.respond({}, ask(expected=("just this",), is_exact=True)).text == "just this"


def test_reference_says_so_when_there_is_no_gold_answer():
    with pytest.raises(PackProblem):
        reference.respond({}, ask(reference=None))
