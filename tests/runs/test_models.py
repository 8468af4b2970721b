import pytest

from packs.access import Role
from runs.launch.launching import launch
from runs.models import Agent, Event, Grade, Replay, Run, RunAgent, Trial
from tests.people import make_member
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_members_see_everything_below_a_run_and_strangers_nothing(team, author, stranger, version, agents):
    run = work_off(launch(author, version, [agents["echo"]]))
    Replay.objects.create(trial=run.trials.first(), index={})
    viewer = make_member(team, Role.VIEWER)
    for model in (Agent, Run, RunAgent, Trial, Event, Grade, Replay):
        assert model.objects.visible_to(viewer).exists(), model
        assert not model.objects.visible_to(stranger).exists(), model
        assert not model.objects.runnable_by(viewer).exists(), model


def test_an_event_keeps_its_payload_to_the_letter(author, version, agents):
    trial = launch(author, version, [agents["echo"]]).trials.first()
    payload = {"z": 1, "a": 1.0, "big": 2**70, "nul": "\0", "emoji": "🦊", "nested": [{"b": None}]}
    at = trial.run.created_at
    Event.objects.create(trial=trial, sequence=1, event_type="x", source="s", occurred_at=at, payload=payload)
    kept = Event.objects.get(trial=trial).as_event()
    assert kept["payload"] == payload
    assert list(kept["payload"]) == list(payload)
    assert kept["sequence_number"] == 1
