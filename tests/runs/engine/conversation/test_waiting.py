from datetime import UTC, datetime, timedelta

import pytest

from runs.agents.contract import Reply
from runs.engine.conversation.waiting import Resumption
from runs.engine.entrant import Entrant
from runs.engine.outcome import Verdict
from runs.engine.trial import run_trial
from runs.replay.causes import Fault
from runs.sandbox import SANDBOXES
from tests.runs.engine.conversation.stage import ASKED, Voice, bench_of, go_on, person, played, said, scripted, talk
from tests.runs.tasks import make_task, payload, types

HELD = {"key": "k", "kind": "contains", "value": "depot"}


def test_a_trial_waits_for_a_person_and_says_what_they_are_asked():
    outcome, events = talk(scripted("open", "Hello"), person("takeover", timeout_ms=90_000))
    assert outcome.verdict is Verdict.WAITING
    wait = outcome.waits_for
    assert (wait.turn, wait.phase, wait.hint, wait.seconds) == (1, "takeover", "Be firm.", 90.0)
    assert types(events)[-1] == ASKED
    assert "conversation.completed" not in types(events)
    assert talk(person())[0].waits_for.seconds == 1800


def test_the_answer_goes_to_the_agent_and_the_conversation_goes_on():
    phases = (scripted("open", "Hello"), person(), scripted("end", "at the hub", trigger="manual"))
    _, before = talk(*phases)
    outcome, events = go_on(before, "Where is it?", *phases)
    assert said(events) == ["Hello", "Where is it?", "at the hub"]
    assert [event["sequence_number"] for event in events] == list(range(1, len(events) + 1))
    done = payload(events, "conversation.completed")
    assert (done["turn_count"], done["human_turn_count"], done["stop_reason"]) == (3, 1, "completed")
    assert done["actors_used"] == ["scripted", "human"]
    assert outcome.verdict is Verdict.PASSED
    assert types(events).count("system.run.started") == 1


def test_the_agent_is_told_all_that_was_said_before_the_wait():
    heard = []

    class Listener:
        CONVERSES, NEEDS_WORKSPACE, SCHEMA = True, False, {}

        @staticmethod
        def respond(config, request):
            heard.append([entry["content"] for entry in request.history])
            return Reply(f"reply {request.turn}")

    script = {"phases": [scripted("open", "Hello"), person()]}
    task = make_task(mode="multi_turn", conversation=script)
    events = []
    arguments = (task, Entrant(Listener, "listener"), SANDBOXES["local"], events.append)
    run_trial(*arguments)
    run_trial(*arguments, resumption=Resumption(list(events), "And now?"))
    assert heard == [[], ["Hello", "reply 0"]]


def test_a_persons_turn_leaves_standing_what_the_turn_before_showed():
    phases = (scripted("a", "hub", expects=[HELD]), person(), scripted("b", "sure?", trigger="on_assistant_mismatch"))
    _, before = talk(*phases)
    _, events = go_on(before, "Hm.", *phases)
    assert said(events) == ["hub", "Hm.", "sure?"]


def test_two_people_may_be_asked_one_after_the_other_and_a_model_between():
    phases = (person("one"), played("between", max_turns=1), person("two"))
    bench = bench_of(user=Voice("Well?"))
    _, first = talk(*phases, bench=bench)
    waiting, second = go_on(first, "Hello", *phases, bench=bench)
    assert (waiting.verdict, waiting.waits_for.turn) == (Verdict.WAITING, 2)
    outcome, events = go_on(second, "the hub", *phases, bench=bench)
    assert said(events) == ["Hello", "Well?", "the hub"]
    assert payload(events, "conversation.completed")["human_turn_count"] == 2
    assert outcome.verdict is Verdict.PASSED


def test_silence_ends_the_conversation_with_what_was_said_so_far():
    phases = (scripted("open", "at the hub"), person(on_timeout="stop"), scripted("end", "no", trigger="manual"))
    _, before = talk(*phases)
    outcome, events = go_on(before, None, *phases)
    done = payload(events, "conversation.completed")
    assert (done["stop_reason"], done["human_turn_count"], done["turn_count"]) == ("human_turn_timeout", 0, 1)
    assert done["actors_used"] == ["scripted", "human"]
    assert (outcome.verdict, outcome.final_output) == (Verdict.PASSED, "at the hub")


@pytest.mark.parametrize("phases", [(scripted("a", "x"), person(on_timeout="fail")), (person(on_timeout="stop"),)])
def test_silence_that_leaves_nothing_to_judge_is_nobodys_fail(phases):
    _, before = talk(*phases)
    outcome, events = go_on(before, None, *phases)
    assert (outcome.verdict, outcome.fault, outcome.stop_reason) == (Verdict.ERROR, Fault.PERSON, "human_turn_timeout")
    assert payload(events, "system.run.failed")["stop_reason"] == "human_turn_timeout"


def test_a_person_is_not_asked_beyond_the_conversations_limit():
    _, events = talk(scripted("a", "1", "2"), person(), max_turns=2)
    assert payload(events, "conversation.completed")["stop_reason"] == "max_turns"


def test_the_time_of_a_trial_does_not_run_while_a_person_thinks():
    start = datetime(2026, 3, 1, tzinfo=UTC)
    moments = [(0, "system.run.started"), (5, ASKED), (1000, "turn.user.message"), (1007, ASKED)]
    events = [{"event_type": name, "occurred_at": start + timedelta(seconds=second)} for second, name in moments]
    assert Resumption(events, "x").worked_seconds() == 12
    clock_set_back = [{**events[0], "occurred_at": start + timedelta(hours=1)}, events[1]]
    assert Resumption(clock_set_back, "x").worked_seconds() == 0


def test_files_of_the_workspace_are_there_again_when_the_conversation_goes_on():
    class Keeper:
        CONVERSES, NEEDS_WORKSPACE, SCHEMA = True, True, {}

        @staticmethod
        def respond(config, request):
            if request.turn == 0:
                request.workspace.write_file("notes/one.txt", b"the hub")
            return Reply(request.workspace.read_file("notes/one.txt", 100).content.decode())

    task = make_task(mode="multi_turn", conversation={"phases": [scripted("open", "Hello"), person()]})
    events = []
    arguments = (task, Entrant(Keeper, "keeper"), SANDBOXES["local"], events.append)
    waiting = run_trial(*arguments)
    assert waiting.waits_for.files == {"notes/one.txt": b"the hub"}
    assert types(events)[-2:] == ["turn.state.captured", ASKED]
    resumption = Resumption(list(events), "Again?", waiting.waits_for.files)
    assert run_trial(*arguments, resumption=resumption).final_output == "the hub"
