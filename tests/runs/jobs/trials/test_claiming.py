"""How many trials of a run a job claims, and what becomes of those that are not to begin."""

import math
import threading
import time

import pytest

from runs.engine.limiter import Limiter
from runs.jobs.queue.leases import new_mark
from runs.jobs.trials.claiming import GRACE_SECONDS, GROWTH, MAX_BATCH, Lane
from runs.jobs.trials.control import cancel, pause
from runs.jobs.trials.saving import Ledger
from runs.launch.launching import launch
from tests.runs.studio_packs import pack_text, publish_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(author, team, agents):
    return launch(author, publish_text(team, author, pack_text({"default": 40})), [agents["echo"]])


@pytest.fixture
def lane(run):
    return Lane(run, Ledger(new_mark()), 4, Limiter(16), threading.Lock())


def statuses(run):
    return set(run.trials.values_list("status", flat=True))


def test_at_first_only_what_can_begin_at_once_is_claimed(lane):
    assert lane.wanted(free=16) == 4
    assert lane.wanted(free=3) == 3


def test_quick_trials_are_claimed_ahead_and_slow_ones_are_not(lane):
    lane.finished, lane.pace = 100, 1000.0
    assert lane.wanted(free=16) == 4 + MAX_BATCH
    lane.finished = 2
    assert lane.wanted(free=16) == 4 + 16
    lane.pace, lane.finished_at_claim = 0.1, lane.finished
    assert lane.wanted(free=0) == 0


def test_the_second_claim_looks_ahead_already(lane):
    lane.claim(4)
    # However slow the machine is, they take no time at all.
    lane.claimed_at = math.inf
    for _ in range(4):
        _, story = lane.begin()
        lane.leave(story)
    assert lane.wanted(free=16) == 4 + 4 * GROWTH


def test_paused_trials_that_were_not_begun_wait_again_as_if_never_claimed(run, lane):
    lane.claim(3)
    assert run.trials.filter(status="running", attempt=1).count() == 3
    assert pause(run)
    lane.hear(is_cancelled=False, is_resting=True)
    assert lane.wanted(free=16) == 0
    lane.let_go(lane.drain())
    assert lane.is_over
    assert statuses(run) == {"queued"}
    assert not run.trials.exclude(attempt=0, lease="", started_at=None).exists()


def test_cancelled_trials_end_even_when_their_agent_does_not_listen(run, lane):
    lane.claim(3)
    _, story = lane.begin()
    cancel(run)
    lane.hear(is_cancelled=True, is_resting=False)
    lane.cancelled_at = math.inf
    lane.let_go(lane.drain())
    assert not lane.is_over
    lane.cancelled_at = time.monotonic() - GRACE_SECONDS
    lane.let_go([])
    assert lane.is_over
    lane.ledger.flush()
    assert statuses(run) == {"cancelled"}
    assert story.is_over
