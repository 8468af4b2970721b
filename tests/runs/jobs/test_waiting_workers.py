"""A conversation with a person on real workers, one of which is killed while the agent answers."""

import json

import pytest

from tests.services import Studio

pytestmark = pytest.mark.services

PRELUDE = """
import json, sys, time
from packs.models import Team
from runs.jobs.trials.answering import answer
from runs.launch.launching import launch
from runs.models import Agent, Event, HumanTurn, Run, Trial
from tests.people import make_member
from packs.access import Role
from tests.runs.conversations import conversation_text
from tests.runs.engine.conversation.stage import person, scripted
from tests.runs.studio_packs import publish_text

def until(condition, seconds=240):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
"""
BEGIN = """
team = Team.objects.create(slug="default", name="Default team")
user = make_member(team, Role.ADMINISTRATOR)
config = {"default": {"turns": ["first"], "output": "the hub"}, "delay_seconds": 4}
agent = Agent.objects.create(team=team, name="slow", kind="scripted", config=config)
text = conversation_text(scripted("open", "Hello"), person())
run = launch(user, publish_text(team, user, text), [agent])
until(lambda: HumanTurn.objects.exists())
trial = Trial.objects.get()
found = [trial.status, trial.lease, list(trial.events.values_list("sequence", "event_type"))]
"""
ANSWER = """
turn = HumanTurn.objects.get()
taken = answer(turn, turn.trial.run.created_by, "And now?")
until(lambda: Trial.objects.get().status == "running")
found = [taken, Trial.objects.get().status]
"""
END = """
until(lambda: Run.objects.get().finished_at)
told = Event.objects.order_by("sequence")
said = [event.payload["content"] for event in told.filter(event_type="turn.user.message")]
found = [Run.objects.get().status, said, list(told.values_list("sequence", "event_type"))]
"""


@pytest.fixture
def studio(tmp_path):
    place = Studio(tmp_path)
    yield place
    place.close()


def act(studio, code):
    said = studio.manage(
        "shell", "--no-imports", "--verbosity", "0", "--command", f"{PRELUDE}{code}sys.stdout.write(json.dumps(found))"
    )
    return json.loads(said)


def test_a_worker_that_is_killed_after_the_answer_repeats_only_that_turn(studio):
    worker = studio.start_worker()
    status, lease, before = act(studio, BEGIN)
    assert (status, lease, before[-1][1]) == ("waiting", "", "turn.awaiting_human")
    assert act(studio, ANSWER) == [True, "running"]
    studio.kill(worker)
    studio.start_worker()
    status, said, told = act(studio, END)
    assert (status, said) == ("completed", ["Hello", "And now?"])
    assert told[: len(before)] == before
    assert [sequence for sequence, _ in told] == list(range(1, len(told) + 1))
    assert [kind for _, kind in told].count("system.run.started") == 1
