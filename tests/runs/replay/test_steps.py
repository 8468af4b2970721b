from datetime import UTC, datetime, timedelta, timezone

import pytest

from runs.replay import display_status, headline_of, moment, replay
from tests.runs.moments import event


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("2026-03-01T10:00:01.000Z", "2026-03-01T10:00:01Z"),
        ("2026-03-01T10:00:01.250Z", "2026-03-01T10:00:01.25Z"),
        ("2026-03-01T12:00:01+02:00", "2026-03-01T10:00:01Z"),
        (datetime(2026, 3, 1, 10, 0, 1, 5000, tzinfo=UTC), "2026-03-01T10:00:01.005Z"),
        (datetime(2026, 3, 1, 12, 0, 1, tzinfo=timezone(timedelta(hours=2))), "2026-03-01T10:00:01Z"),
    ],
)
def test_times_are_told_in_utc_without_needless_digits(given, shown):
    assert moment(given) == shown


def test_a_moment_is_shown_as_done_and_an_open_step_as_running():
    steps = replay([event(1, "system.run.started"), event(2, "turn.completed", turn_index=0)])["steps"]
    assert [display_status(step) for step in steps] == ["running", "completed"]
    assert steps[1]["turn_index"] == 0


def test_later_values_replace_earlier_ones_and_empty_values_do_not():
    events = [
        event(1, "model.call.started", model="asked", provider_key="p"),
        event(2, "model.call.completed", provider_model_id="given", provider_key=""),
    ]
    [step] = replay(events)["steps"]
    assert (step["provider_model_id"], step["provider_key"]) == ("given", "p")


def test_the_number_of_a_step_has_no_fraction_so_that_start_and_end_meet():
    events = [event(1, "system.step.started", step_index=2.9), event(2, "system.step.completed", step_index=2)]
    [step] = replay(events)["steps"]
    assert (step["step_index"], step["headline"], step["status"]) == (2, "Agent step 2", "completed")


def test_payloads_of_odd_shapes_make_a_step_all_the_same():
    payload = {"step_index": float("inf"), "turn_index": True, "result": [], "error": {"code": 1}, "tool_name": 7}
    [step] = replay([event(1, "tool.call.failed", **payload)])["steps"]
    assert step["headline"] == "Tool call"
    assert not {"step_index", "turn_index", "tool_result", "error_message", "tool_name"} & step.keys()


def test_a_type_without_words_of_its_own_is_its_own_headline():
    assert headline_of(event(1, "barge_in.detected")) == "barge_in.detected"


@pytest.mark.parametrize(
    ("event_type", "payload", "headline"),
    [
        ("workspace.hook.failed", {"hook": "before_each"}, "Hook: before_each"),
        (
            "workspace.hook.completed",
            {"hook": "before_each", "agent_name": "with-skills"},
            "Hook: before_each of with-skills",
        ),
        ("workspace.repository.placed", {"path": "repo"}, "Repository: repo"),
        ("workspace.changed", {}, "Changes of the workspace"),
        ("grader.opinion.recorded", {"validator_key": "tone"}, "Model asked by grader tone"),
    ],
)
def test_what_was_done_to_a_workspace_and_asked_for_graders_is_told_in_words(event_type, payload, headline):
    assert headline_of(event(1, event_type, **payload)) == headline
