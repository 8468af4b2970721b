from runs.engine.conversation.script import Script
from tests.runs.engine.conversation.stage import person, played, scripted, talk
from tests.runs.tasks import payload


def test_phases_that_may_come_to_be_played_are_listed_by_actor():
    script = Script.read({"phases": [scripted("a", "x"), played("b"), played("c", trigger="never"), person("d")]})
    assert [phase.key for phase in script.playable("llm")] == ["b"]
    assert [phase.key for phase in script.playable("human")] == ["d"]
    assert script.max_turns == 50


def test_turns_tell_who_spoke_and_whether_the_reply_was_expected():
    _, events = talk(scripted("a", "hub"))
    assert payload(events, "turn.completed") == {
        "turn_index": 0,
        "phase_id": "a",
        "actor": "scripted",
        "mismatch": False,
    }
