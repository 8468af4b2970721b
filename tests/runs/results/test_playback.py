import pytest

from runs.launch.launching import launch
from runs.models import Agent, Event, Replay
from runs.replay import replay
from runs.results.playback import answer_so_far, find_steps, index_of, search_events, steps_at, transcript
from tests.runs.launch.test_launching import CONVERSATION
from tests.runs.scene import CALLS
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off
from tests.services import Studio, postgres, postgres_binaries

pytestmark = pytest.mark.django_db

# How many events hold a text.
SOUGHT = {
    **dict.fromkeys(['SAY "', 'Say "h', "hüb", "tool.call.completed"], len(CALLS)),
    **{"tool249": 1, "TOOL249": 1, "L249": 1, "tool24": 11, "tool-249": 0, "no such text": 0, "100%": 0},
}


def trial_with(team, author, version, config):
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config=config)
    return work_off(launch(author, version, [agent])).trials.first()


@pytest.fixture
def long_trial(team, author, version):
    return trial_with(team, author, version, {"default": {"output": "hub", "events": CALLS}})


def test_a_stored_index_and_one_made_now_are_the_same(long_trial):
    stored = index_of(long_trial)
    Replay.objects.all().delete()
    assert index_of(long_trial) == stored


def test_a_step_with_a_fraction_in_its_number_is_one_step_on_pages_and_over_rest(team, author, version, as_author):
    events = [
        {"type": "system.step.started", "payload": {"step_index": 2.9}},
        {"type": "system.step.completed", "payload": {"step_index": 2}},
    ]
    trial = trial_with(team, author, version, {"default": {"output": "hub", "events": events}})
    index = index_of(trial)
    [step] = [each for each in steps_at(trial, index, range(len(index))) if each["type"] == "agent_step"]
    assert (step["step_index"], step["headline"], step["status"]) == (2, "Agent step 2", "completed")
    shown = as_author.get(f"/api/v1/trials/{trial.pk}/replay/").json()["steps"]
    assert [each["step_index"] for each in shown if "step_index" in each] == [2]
    assert all(type(each["step_index"]) is int for each in shown if "step_index" in each)


def test_windows_together_are_the_whole_replay(long_trial):
    index = index_of(long_trial)
    shown = [
        step
        for first in range(0, len(index), 100)
        for step in steps_at(long_trial, index, range(len(index))[first : first + 100])
    ]
    whole = replay([event.as_event() for event in long_trial.events.all()])["steps"]
    assert [step.pop("position") for step in shown] == list(range(len(index)))
    assert shown == whole


def test_a_window_reads_the_same_number_of_rows_wherever_it_is(long_trial, django_assert_num_queries):
    index = index_of(long_trial)
    for first in (0, 200):
        with django_assert_num_queries(1):
            steps_at(long_trial, index, range(first, first + 50))


@pytest.mark.parametrize("text", ["tool249", "TOOL249"])
def test_a_text_is_found_wherever_it_stands(long_trial, text):
    index = index_of(long_trial)
    [position] = find_steps(long_trial, index, (), text)
    assert steps_at(long_trial, index, [position])[0]["tool_name"] == "tool249"


@pytest.mark.parametrize("text", ['say "hüb"', "hüb", 'hüb"\n', "tool.call.completed"])
def test_quotes_line_ends_and_letters_beyond_ascii_are_found(long_trial, text):
    assert len(search_events(long_trial, text)) == len(CALLS)


@pytest.mark.parametrize("text", ["no such text", "100%", "_____"])
def test_signs_of_patterns_are_taken_literally(long_trial, text):
    assert search_events(long_trial, text) == []


def test_kinds_and_text_narrow_together(long_trial):
    index = index_of(long_trial)
    assert len(find_steps(long_trial, index, ["tool_call"])) == len(CALLS)
    assert list(find_steps(long_trial, index, ["output"], "tool249")) == []


def test_a_conversation_reads_as_turns(team, author, agents):
    turns = "[{message: Hello}, {message: Where?, expects: [{key: k, kind: contains, value: depot}]}]"
    phase = f"{{id: open, actor: scripted, turns: {turns}}}"
    text = pack_text({"default": CONVERSATION.format(phase=phase)}, mode="multi_turn")
    version = publish_text(team, author, text)
    trial = trial_with(team, author, version, {"default": {"turns": ["Hi"], "output": "hub"}})
    told = [(turn["user"], turn["assistant"], turn["actor"], turn["mismatch"]) for turn in transcript(trial)]
    assert told == [("Hello", "Hi", "scripted", False), ("Where?", "hub", "scripted", True)]


def writing(trial, *events):
    """Events of a model call at the end of a trial's."""
    last = trial.events.order_by("-sequence").first()
    for number, (kind, payload) in enumerate(events, start=1):
        Event.objects.create(
            trial=trial,
            sequence=last.sequence + number,
            event_type=kind,
            source=last.source,
            occurred_at=last.occurred_at,
            payload=payload,
        )
    return answer_so_far(trial)


def test_of_a_live_answer_what_is_written_so_far_is_known(long_trial):
    parts = [("model.output.delta", {"text_delta": text}) for text in ("It is ", "at the")]
    begun = ("model.call.started", {"model": "small"})
    fragment = ("model.output.delta", {"tool_call_fragment": {"name": "submit"}})
    assert writing(long_trial, begun, *parts, fragment) == "It is at the"


def test_an_answer_that_is_complete_is_not_being_written(long_trial):
    assert answer_so_far(long_trial) == ""
    delta = ("model.output.delta", {"text_delta": "It is"})
    assert writing(long_trial, ("model.call.started", {}), delta, ("model.call.completed", {})) == ""
    assert writing(long_trial, ("model.call.started", {})) == ""


@pytest.mark.services
def test_postgresql_finds_the_same_in_a_replay_and_shows_any_window_of_it(tmp_path):
    if postgres_binaries() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres() as server:
        found = Studio(tmp_path, DATABASE_URL=server.address).scene("search_replay", list(SOUGHT))
    assert found == {"found": list(SOUGHT.values()), "whole": True}


def test_texts_are_found_in_a_replay_however_they_are_written(long_trial):
    assert {text: len(search_events(long_trial, text)) for text in SOUGHT} == SOUGHT
