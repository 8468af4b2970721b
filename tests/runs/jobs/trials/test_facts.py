"""Facts of trials that gates need."""

import pytest

from runs.jobs.trials.facts import fill_facts
from runs.models import TrialFacts
from tests.runs.gated import gated_run, publish_suites

pytestmark = pytest.mark.django_db

CALLS = [
    {"type": "tool.call.completed", "payload": {"tool_name": "look", "arguments": {}, "retries": 1}},
    {"type": "tool.call.failed", "payload": {"tool_name": "wire", "arguments": {}}},
]


def test_facts_are_the_same_when_they_are_taken_later(team, author):
    run = gated_run(author, publish_suites(team, author), capital_1={"output": "Lisbon", "events": CALLS})
    rows = TrialFacts.objects.filter(trial__run=run, trial__case_key="capital_1").order_by("trial")
    before = list(rows.values_list("tools", "latencies", "violations"))
    assert before[0][0] == {"look": 2, "wire": 1}
    TrialFacts.objects.all().delete()
    assert fill_facts(run.agents.get()) == run.trial_count
    assert list(rows.values_list("tools", "latencies", "violations")) == before
