import pytest

from runs.agents.endpoints.contract import EndpointFailed, Trouble
from runs.engine.outcome import Verdict
from runs.replay.causes import Fault
from tests.runs.engine.conversation.stage import Voice, bench_of, played, said, scripted, talk
from tests.runs.tasks import payload, types


def spoken(*phases, voice, **more):
    return talk(*phases, bench=bench_of(user=voice), **more)


def test_a_model_speaks_as_the_user_until_its_condition_holds():
    voice = Voice("Where is it?", "At which hub?", "never said")
    phase = played("pressing", max_turns=5, until=["assistant_emitted: HUB"])
    outcome, events = spoken(scripted("open", "Hello"), phase, voice=voice)
    assert said(events) == ["Hello", "Where is it?", "At which hub?"]
    done = payload(events, "conversation.completed")
    assert done["actors_used"] == ["scripted", "llm"]
    assert (done["stop_reason"], done["turn_count"]) == ("completed", 3)
    assert outcome.verdict is Verdict.PASSED


def test_the_model_hears_the_talk_with_its_sides_exchanged_and_only_what_a_user_may_know():
    voice = Voice("Well?")
    spoken(scripted("open", "Hello"), played("pressing", max_turns=1), voice=voice, expected="Leeds")
    [request] = voice.asked
    assert request.model == "user"
    assert [message["role"] for message in request.messages] == ["system", "user", "assistant", "user"]
    assert [message["content"] for message in request.messages[2:]] == ["Hello", "Hello"]
    assert "A hurried customer." in request.messages[0]["content"]
    assert "Leeds" not in str(request.messages)


def test_what_the_users_model_cost_is_told_and_is_not_the_agents():
    outcome, events = spoken(played("a", max_turns=1), voice=Voice("Well?"))
    told = payload(events, "turn.user.simulated")
    assert (told["provider_key"], told["provider_model_id"], told["usage"]["cost_usd"]) == ("test", "user", 0.001)
    assert types(events).index("turn.user.simulated") + 1 == types(events).index("turn.user.message")
    assert payload(events, "turn.user.message")["actor"] == "llm"
    assert outcome.usage.get("cost_usd") is None


@pytest.mark.parametrize(
    ("until", "turns"),
    [
        ([], 4),
        (["max_turns"], 4),
        (["user_token:BYE"], 3),
        (["user_token:bye", "assistant_emitted:bye"], 3),
        (["user_token:bye", "assistant_emitted:later"], 4),
        (["mood:calm"], 4),
    ],
)
def test_all_conditions_must_hold_at_once_or_a_limit_ends_the_phase(until, turns):
    voice = Voice("one", "two", "Good bye", "four", "five")
    _, events = spoken(played("a", max_turns=4, until=until), voice=voice)
    assert payload(events, "conversation.completed")["turn_count"] == turns


def test_the_conversations_limit_ends_a_model_that_goes_on():
    _, events = spoken(played("a"), voice=Voice("more"), max_turns=3)
    done = payload(events, "conversation.completed")
    assert (done["turn_count"], done["stop_reason"]) == (3, "max_turns")


def test_a_models_turn_never_mismatches_and_so_ends_a_chain_of_mismatches():
    held = {"key": "k", "kind": "contains", "value": "depot"}
    again = scripted("again", "sure?", trigger="on_assistant_mismatch")
    _, events = spoken(scripted("a", "hub", expects=[held]), played("b", max_turns=1), again, voice=Voice("Well?"))
    assert said(events) == ["hub", "Well?"]


def test_the_named_model_plays_and_otherwise_the_agents_own():
    named, other = Voice("named"), Voice("other")
    _, events = talk(played("a", max_turns=1, model="gpt"), bench=bench_of(gpt=named, user=other))
    assert said(events) == ["named"]
    assert payload(events, "turn.user.simulated")["provider_model_id"] == "gpt"


@pytest.mark.parametrize("voice", [Voice("  "), Voice(EndpointFailed(Trouble.SERVER, "500"))])
def test_a_user_that_says_nothing_is_no_failure_of_the_agent(voice):
    outcome, events = spoken(scripted("open", "Hello"), played("a", max_turns=2), voice=voice)
    assert (outcome.verdict, outcome.fault, outcome.stop_reason) == (Verdict.ERROR, Fault.MACHINE, "simulator_error")
    assert payload(events, "conversation.completed")["stop_reason"] == "simulator_error"
    assert payload(events, "system.run.failed")["stop_reason"] == "simulator_error"


def test_without_anybody_to_play_the_user_the_machine_is_at_fault():
    outcome, _ = talk(played("a", max_turns=1, model="gpt"))
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, Fault.MACHINE)


def test_cancelling_while_the_model_speaks_cancels_the_trial():
    outcome, _ = spoken(played("a"), voice=Voice(EndpointFailed(Trouble.CANCELLED, "cancelled")))
    assert outcome.verdict is Verdict.CANCELLED
