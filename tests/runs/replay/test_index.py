from runs.replay import StepIndex, build_steps, index_steps, replay
from tests.runs.moments import event, tool_story


def long_story(calls):
    """Events of a run with `calls` tool calls, every tenth of which fails."""
    names = [("t", "failed" if number % 10 == 9 else "completed") for number in range(calls)]
    return tool_story(names)


def test_a_window_of_steps_is_built_from_its_own_events_only():
    events = long_story(50)
    whole = replay(events)["steps"]
    index = index_steps(events)
    positions = range(20, 30)
    needed = index.sequences(positions)
    assert len(needed) == 20
    read = {item["sequence_number"]: item for item in events if item["sequence_number"] in needed}
    assert build_steps(index, positions, read) == whole[20:30]


def test_the_index_survives_storage_as_json_values():
    index = index_steps(long_story(12))
    assert StepIndex(**index.as_dict()) == index


def test_steps_are_chosen_by_kind_and_by_the_events_that_a_search_found():
    events = long_story(3)
    index = index_steps(events)
    assert list(index.select(["tool_call"])) == [1, 2, 3]
    # Event 5 closes the second call, event 1 opens the run.
    assert list(index.select(sequences=[5, 1])) == [0, 2]
    assert list(index.select(["run"], sequences=[5])) == []
    assert list(index.select()) == [0, 1, 2, 3]


def test_an_event_leads_to_its_step_whether_it_opens_or_closes_it():
    index = index_steps(long_story(2))
    assert index.position_of(1) == 0
    assert index.position_of(4) == index.position_of(5) == 2
    assert index.position_of(99) is None


def test_steps_with_trouble_are_known_by_their_positions():
    assert index_steps(long_story(30)).errors == [10, 20, 30]


def test_a_result_marked_as_error_counts_as_trouble_although_the_call_completed():
    events = [
        event(1, "tool.call.started", tool_name="t"),
        event(2, "tool.call.completed", tool_name="t", result={"content": "no", "is_error": True}),
        event(3, "sandbox.command.completed", exit_code=2),
        event(4, "sandbox.command.completed", exit_code=0),
    ]
    assert index_steps(events).errors == [0, 1]


def test_the_minimap_has_as_many_stripes_as_asked_for_and_shows_every_error():
    index = index_steps(long_story(1000))
    stripes = index.minimap(100)
    assert len(stripes) <= 100
    assert sum(stripe["count"] for stripe in stripes) == len(index)
    assert all(stripe["error"] for stripe in stripes[:-1])
    assert {stripe["kind"] for stripe in stripes[1:]} == {"tool_call"}
    assert index_steps([]).minimap(100) == []


def test_artifacts_are_named_once_in_the_order_of_their_first_mention():
    events = [event(1, "system.output.finalized", artifact_ids=["b", "a"]), event(2, "turn.completed", artifact_id="b")]
    built = replay(events)
    assert built["artifact_ids"] == ["b", "a"]
    assert built["steps"][0]["artifact_ids"] == ["b", "a"]
    assert built["steps"][1]["artifact_ids"] == ["b"]


def test_events_are_told_in_the_order_of_their_numbers():
    events = tool_story([("t", "completed")])
    assert replay(list(reversed(events))) == replay(events)
