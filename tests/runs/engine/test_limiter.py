"""Turns of the trials that do more than wait for their agents."""

from dataclasses import replace

import pytest

from packs.formats.task import Environment, WorkspacePlan
from runs.agents import AGENTS
from runs.agents.contract import Cancelled
from runs.engine.entrant import Entrant
from runs.engine.limiter import Limiter, only_waits
from runs.engine.trial import run_trial
from runs.sandbox import SANDBOXES
from tests.runs.tasks import make_task


def entrant(kind, **config):
    return Entrant(AGENTS[kind], kind, config)


def test_a_turn_is_had_until_the_block_ends_and_counts_once():
    limiter = Limiter(1)
    with limiter.turn() as take_turn:
        take_turn()
        take_turn()
        with limiter.turn(lambda: True) as late, pytest.raises(Cancelled):
            late()
    with limiter.turn(lambda: True) as take_turn:
        take_turn()


def test_whoever_only_waits_holds_nobody_up():
    limiter = Limiter(1)
    with limiter.turn(), limiter.turn(lambda: True) as take_turn:
        take_turn()


@pytest.mark.parametrize(
    ("kind", "environment", "waits"),
    [
        ("http", Environment(mode="native"), True),
        ("chat", Environment(mode="prompt_eval"), True),
        ("chat", Environment(mode="native"), False),
        ("command", Environment(mode="prompt_eval"), False),
        ("http", Environment(mode="native", workspace=WorkspacePlan()), False),
        ("recorded", Environment(mode="native"), False),
    ],
)
def test_trials_in_workspaces_and_recorded_ones_do_more_than_wait(kind, environment, waits):
    assert only_waits(replace(make_task(), environment=environment), entrant(kind)) is waits


def test_a_conversation_whose_turns_may_be_judged_does_more_than_wait():
    assert not only_waits(make_task(conversation={"phases": []}), entrant("scripted"))


def test_an_agent_that_is_waited_for_answers_before_its_trial_takes_a_turn():
    told = []
    outcome = run_trial(
        make_task(),
        entrant("scripted", default="Hub"),
        SANDBOXES["local"],
        lambda event: told.append(event["event_type"]),
        take_turn=lambda: told.append("turn"),
    )
    assert outcome.final_output == "Hub"
    assert told.index("turn") < told.index("system.output.finalized")
    assert told[0] == "system.run.started"


def test_a_trial_that_is_cancelled_while_it_waits_for_its_turn_ends_as_cancelled():
    def take_turn():
        raise Cancelled

    outcome = run_trial(make_task(), entrant("echo"), SANDBOXES["local"], lambda event: None, take_turn=take_turn)
    assert outcome.stop_reason == "cancelled"
