from runs.replay.talk import talk
from tests.runs.moments import event


def said(*steps):
    return [(each.who, each.text, each.answer) for turn in talk(steps) for each in turn.said]


def call(number, **payload):
    return [event(number, "tool.call.completed", tool_name="search", arguments={"q": "lamp"}, **payload)]


def test_a_conversation_goes_turn_by_turn_with_the_calls_in_between():
    turns = talk(
        [
            [event(1, "turn.user.message", turn_index=0, phase_id="open", actor="scripted", content="Hello")],
            call(2, result={"content": "3 lamps"}),
            [event(3, "model.call.completed", output_text="We have three.")],
            [event(4, "turn.assistant.message", turn_index=0, content="We have three.")],
            [event(5, "turn.completed", turn_index=0, actor="scripted", mismatch=True)],
            [event(6, "turn.awaiting_human", turn_index=1, phase_id="takeover")],
        ]
    )
    first, second = turns
    assert [(each.who, each.text, each.answer) for each in first.said] == [
        ("user", "Hello", ""),
        ("call", 'search("lamp")', "3 lamps"),
        ("agent", "We have three.", ""),
    ]
    assert (first.number, first.phase, first.actor, first.has_mismatch) == (0, "open", "scripted", True)
    assert (second.number, second.phase, second.awaits_person, second.said) == (1, "takeover", True, [])


def test_a_person_who_answered_is_not_awaited_any_more():
    asked = event(1, "turn.awaiting_human", turn_index=0, actor="human")
    [turn] = talk([[asked], [event(2, "turn.user.message", turn_index=0, content="Here I am")]])
    assert turn.awaits_person is False


def test_of_the_messages_of_a_call_only_the_new_ones_are_shown():
    first = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello"}]
    later = [*first, {"role": "assistant", "content": "Hi."}, {"role": "user", "content": [{"text": "Where?"}]}]
    found = said(
        [event(1, "model.call.started", messages=first), event(2, "model.call.completed", output_text="Hi.")],
        [event(3, "model.call.started", messages=later), event(4, "model.call.completed", error="gone")],
    )
    assert [(who, text) for who, text, _ in found] == [
        ("system", "Be kind."),
        ("user", "Hello"),
        ("agent", "Hi."),
        ("user", "Where?"),
        ("trouble", "gone"),
    ]


def test_the_final_output_is_shown_once_and_a_failed_call_is_trouble():
    [turn] = talk([call(1, error="no such shelf"), [event(2, "system.output.finalized", final_output="hub")]])
    assert [(each.who, each.answer, each.is_trouble) for each in turn.said] == [
        ("call", "no such shelf", True),
        ("agent", "", False),
    ]
    again = [event(1, "model.call.completed", output_text="hub")], [event(2, "system.output.finalized", output="hub ")]
    assert said(*again) == [("agent", "hub", "")]


def test_trials_that_said_nothing_have_no_turn():
    assert talk([[event(1, "model.call.completed")], [event(2, "system.output.finalized", final_output="")]]) == []
