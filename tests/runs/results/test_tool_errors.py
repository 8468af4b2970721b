import pytest

from runs.models import Event, Trial
from runs.results.tool_errors import tool_errors
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


def fail(trial, sequence, **payload):
    at = trial.run.created_at
    Event.objects.create(
        trial=trial, sequence=sequence, event_type="tool.call.failed", source="t", occurred_at=at, payload=payload
    )


def test_the_first_failed_call_of_each_trial_counts(team, author, version):
    run = run_with(team, author, version, {"bot": ["f", "f", "f"]})
    one, other, _ = Trial.objects.filter(run=run).order_by("case_position")
    fail(one, 900, tool_name="search", error="No index named 'x'")
    fail(one, 901, tool_name="price", error="later")
    fail(other, 900, tool_name="price", result={"content": "Unknown item 7", "is_error": True})
    assert tool_errors(list(run.trials.values_list("pk", flat=True)), 12) == {
        one.pk: ("search", "No index nam"),
        other.pk: ("price", "Unknown item"),
    }
