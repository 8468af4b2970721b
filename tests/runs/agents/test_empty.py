from runs.agents.contract import Request
from runs.agents.empty import respond
from tests.runs.tasks import make_task


def test_it_answers_nothing():
    assert respond({}, Request(make_task(), "Where?")).text == ""
