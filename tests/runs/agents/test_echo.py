from runs.agents.contract import Request
from runs.agents.echo import respond
from tests.runs.tasks import make_task


def test_it_answers_with_what_it_is_told():
    assert respond({}, Request(make_task(), "Where?\n")).text == "Where?\n"
