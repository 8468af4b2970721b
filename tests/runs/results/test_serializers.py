from datetime import UTC, datetime

from runs.models import Trial
from runs.results.serializers import TrialSerializer, envelope


def test_an_envelope_says_where_the_event_belongs_and_keeps_its_payload():
    event = {
        "sequence_number": 3,
        "event_type": "tool.call.started",
        "source": "native_engine",
        "occurred_at": datetime(2026, 3, 1, 10, tzinfo=UTC),
        "payload": {"tool_name": "track", "arguments": {}},
    }
    shown = envelope(event, Trial(pk=9, run_id=1, run_agent_id=2, case_key="one"))
    assert (shown["event_id"], shown["trial_id"], shown["run_id"], shown["run_agent_id"]) == ("9-3", "9", "1", "2")
    assert (shown["occurred_at"], shown["schema_version"]) == ("2026-03-01T10:00:00Z", "2026-03-15")
    assert shown["summary"] == {"tool_name": "track", "case_key": "one"}
    assert shown["payload"] == event["payload"]


def test_a_trial_tells_what_its_agent_used_up():
    shown = TrialSerializer(Trial(pk=9, run_agent_id=2, total_tokens=17, cost_usd=0.25)).data
    assert (shown["total_tokens"], shown["cost_usd"]) == (17, 0.25)
    assert TrialSerializer(Trial(pk=9, run_agent_id=2)).data["cost_usd"] is None
