import pytest

from runs.agents import reference
from runs.agents.contract import PackProblem, Request
from tests.runs.tasks import make_task


def ask(message="Where?", **more):
    return Request(make_task(reference=more.pop("reference", "the hub")), message, **more)


def test_it_gives_the_gold_answer():
    assert reference.respond({}, ask()).text == "the hub"
    assert reference.respond({}, ask(reference="")).text == ""


def test_it_says_what_a_turn_expects():
    assert reference.respond({}, ask(expected=("a", "b", "a"))).text == "a\nb\nthe hub"
    assert reference.respond({}, ask(expected=("just this",), is_exact=True)).text == "just this"


def test_it_says_so_when_there_is_no_gold_answer():
    with pytest.raises(PackProblem):
        reference.respond({}, ask(reference=None))
