"""A rescore in lines; what the commands do is tried in `../commands/test_run.py`."""

import pytest

from runs.launch.launching import launch
from runs.management.acts.rescoring import lines_of
from runs.results.rescoring import ask_rescore
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("cost", "spelt"), [(0.5, "0.5000 US dollars"), (None, "cost not known")])
def test_a_rescore_is_told_in_lines(author, version, agents, cost, spelt):
    row = ask_rescore(work_off(launch(author, version, [agents["echo"]])))
    row.status = "completed"
    old, new = {"score": None, "counts": {"undecided": 2}}, {"score": 0.5, "counts": {"passed": 1, "undecided": 1}}
    row.summary = {
        "changed": 22,
        "agents": [{"name": "a", "old": old, "new": new, "changed": 2}],
        "moves": [{"from": "undecided", "to": "passed", "trials": 2}],
        "judging": {"calls": 4.0, "tokens": 40.0, "cost_usd": cost},
    }
    trial = row.run.trials.first()
    row.results.create(trial=trial, old_status="undecided", status="passed", score=0.5, has_changed=True)
    assert list(lines_of(row))[1:] == [
        "  a: 2 trials changed",
        "    before: pass rate – (0 of 0 judged), coverage 0 % (0 of 2 judged)",
        "    now:    pass rate 100 % (1 of 1 judged), coverage 50 % (1 of 2 judged), mean score 0.500",
        "  2 from undecided to passed",
        f"    {trial}: undecided, no score -> passed, score 0.500",
        "    ... and 2 more",
        f"  judges: 4 calls, 40 tokens, {spelt}",
    ]
