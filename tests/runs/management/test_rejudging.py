"""A rescore in lines; what the commands do is tried in `commands/test_run.py`."""

import pytest

from runs.launch import launch
from runs.management.rejudging import told
from runs.rescoring import ask_rescore
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("cost", "spelt"), [(0.5, "0.5000 US dollars"), (None, "cost not known")])
def test_a_rescore_is_told_in_lines(author, version, agents, cost, spelt):
    row = ask_rescore(work_off(launch(author, version, [agents["echo"]])))
    row.status = "completed"
    row.summary = {
        "agents": [{"name": "a", "old": {"score": None}, "new": {"score": 0.5}, "changed": 2}],
        "moves": [{"from": "undecided", "to": "passed", "trials": 2}],
        "judging": {"calls": 4.0, "tokens": 40.0, "cost_usd": cost},
    }
    assert list(told(row))[1:] == [
        "  a: mean score none -> 0.500, 2 trials changed",
        "  2 from undecided to passed",
        f"  judges: 4 calls, 40 tokens, {spelt}",
    ]
