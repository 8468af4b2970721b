"""Events for tests, in the envelope shape of challenge-pack h.1."""


def event(sequence, event_type, **payload):
    return {
        "sequence_number": sequence,
        "event_type": event_type,
        "source": "native_engine",
        "occurred_at": f"2026-03-01T10:00:{sequence % 60:02d}.000Z",
        "payload": payload,
    }


def tool_story(calls):
    """A started run followed by tool calls, each given as (name, completed or failed)."""
    events = [event(1, "system.run.started")]
    for name, ending in calls:
        events.append(event(len(events) + 1, "tool.call.started", tool_name=name))
        events.append(event(len(events) + 1, f"tool.call.{ending}", tool_name=name))
    return events
