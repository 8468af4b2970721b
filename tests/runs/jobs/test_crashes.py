"""Killing processes in the middle of a run, on every broker and database that the machine has."""

import json
import shutil
import urllib.request
from contextlib import ExitStack

import pytest

from runs.jobs.leases import LEASE_SECONDS
from tests.services import Studio, free_port, postgres, postgres_binaries, redis, wait_until

pytestmark = [pytest.mark.services, pytest.mark.timeout(240)]

CASES = 200
END_SECONDS = 90


@pytest.fixture(params=["embedded", "servers"])
def studio(request, tmp_path):
    """A studio on SQLite and the broker of files, and one on PostgreSQL and Redis."""
    with ExitStack() as stack:
        addresses = {}
        if request.param == "servers":
            if postgres_binaries() is None or shutil.which("redis-server") is None:
                pytest.skip("PostgreSQL or Redis is not installed")
            addresses = {"DATABASE_URL": stack.enter_context(postgres()), "REDIS_URL": stack.enter_context(redis())}
        place = Studio(tmp_path, **addresses)
        stack.callback(place.close)
        yield place


def check_whole(found):
    """Every trial finished once, nothing lost and nothing told twice."""
    assert (found["status"], found["counts"]) == ("completed", {"passed": CASES})
    assert found["ended"] == CASES
    assert found["events_right"]
    assert found["events"] == CASES * 5


def test_a_killed_worker_loses_nothing_and_repeats_no_finished_trial(studio):
    worker = studio.start_worker()
    run = studio.scene("begin", CASES, 0.3, 20)["run"]
    studio.kill(worker)
    between = studio.scene("audit", run)
    assert 20 <= between["done"] < CASES
    studio.start_worker()
    found = studio.scene("audit", run, END_SECONDS)
    check_whole(found)
    # Only what was at work when the worker died was begun again.
    assert found["repeated"] <= CASES - between["done"]
    assert found["attempts"] <= 2


def test_a_run_that_was_started_without_a_worker_begins_when_one_comes(studio):
    run = studio.scene("begin", CASES, 0)["run"]
    assert studio.scene("audit", run)["workers"] == 0
    studio.start_worker()
    check_whole(studio.scene("audit", run, END_SECONDS))


def test_killing_the_web_process_disturbs_no_run(studio):
    port = free_port()
    web = studio.start_web(port)
    studio.start_worker()
    run = studio.scene("begin", CASES, 0.02, 1)["run"]
    studio.kill(web)
    check_whole(studio.scene("audit", run, END_SECONDS))
    with urllib.request.urlopen(f"http://127.0.0.1:{studio_again(studio)}/healthz", timeout=30) as answer:
        assert json.load(answer)["status"] == "ok"


def studio_again(studio):
    port = free_port()
    studio.start_web(port)
    return port


def test_cancelling_reaches_trials_at_work(studio):
    studio.start_worker()
    run = studio.scene("begin", 4, 60, 0)["run"]
    wait_until(lambda: studio.scene("audit", run)["attempts"] == 1, "a trial at work")
    studio.manage("run", "cancel", run)
    found = studio.scene("audit", run, 30)
    assert (found["status"], found["counts"]) == ("cancelled", {"cancelled": 4})


def test_a_trial_that_takes_longer_than_a_lease_is_run_once(tmp_path):
    studio = Studio(tmp_path)
    try:
        studio.start_worker()
        run = studio.scene("begin", 1, LEASE_SECONDS + 3)["run"]
        found = studio.scene("audit", run, END_SECONDS)
        assert (found["counts"], found["attempts"]) == ({"passed": 1}, 1)
    finally:
        studio.close()
