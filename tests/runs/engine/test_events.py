from pathlib import Path

from runs.engine.events import AGENT_TYPES, ENGINE_TYPES, EVENT_TYPES, SOURCES, summarise
from runs.replay.vocabulary import ENDS, MOMENTS, STARTS

PAGE = Path(__file__).parents[3] / "docs" / "events.md"


def test_all_fifty_types_belong_to_the_engine_or_to_the_agent():
    # More are ours: evidence of elsewhere, what graders asked models and people, and what was done to workspaces.
    graders = (
        "evidence.supplied",
        "opinion.recorded",
        "review.recorded",
        "verdict.overruled",
        "verification.files_restored",
    )
    ours = {f"grader.{name}" for name in graders}
    assert len([name for name in EVENT_TYPES - ours if not name.startswith("workspace.")]) == 50
    assert not AGENT_TYPES & ENGINE_TYPES


def test_replays_know_no_type_that_events_do_not():
    assert STARTS.keys() | ENDS.keys() | MOMENTS.keys() <= EVENT_TYPES


def test_the_summary_names_the_case_and_plain_values_only():
    found = summarise({"turn_index": 0, "mismatch": False, "tool_name": ["t"], "content": "x"}, "one")
    assert found == {"turn_index": 0, "mismatch": False, "case_key": "one"}
    assert summarise({}, "") == {}


def test_the_summary_counts_steps_and_turns_in_whole_numbers():
    assert summarise({"step_index": 2.9, "turn_index": 3.0}, "") == {"step_index": 2, "turn_index": 3}
    assert type(summarise({"step_index": 2.9}, "")["step_index"]) is int


def test_every_type_and_source_is_documented():
    text = PAGE.read_text()
    assert [name for name in sorted(EVENT_TYPES | set(SOURCES.values())) if f"`{name}`" not in text] == []
