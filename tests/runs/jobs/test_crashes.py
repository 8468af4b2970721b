"""Killing processes in the middle of a run, on the embedded database and broker."""

import json
import sys
import urllib.request

import psutil
import pytest

from tests.services import Studio, free_port, wait_until

pytestmark = pytest.mark.services

CASES = 200
END_SECONDS = 240


@pytest.fixture
def studio(tmp_path):
    """A studio on SQLite and the broker of files; `test_survival` has one on PostgreSQL and Redis."""
    place = Studio(tmp_path)
    yield place
    place.close()


def check_whole(found):
    """Every trial finished once, nothing lost and nothing told twice."""
    assert (found["status"], found["counts"]) == ("completed", {"passed": CASES})
    assert found["ended"] == CASES
    assert found["events_right"]
    assert found["events"] == CASES * 5


def test_a_killed_worker_loses_nothing_and_repeats_no_finished_trial(studio):
    worker = studio.start_worker()
    run = studio.scene("begin", CASES, 0.8, 20, worker.pid)["run"]
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
    with urllib.request.urlopen(f"http://127.0.0.1:{studio_again(studio)}/healthz", timeout=END_SECONDS) as answer:
        assert json.load(answer)["status"] == "ok"


def studio_again(studio):
    port = free_port()
    studio.start_web(port)
    return port


def test_cancelling_stops_programs_that_will_not_end_and_begins_no_other(studio):
    studio.environment |= {"PACKWRIGHT_ALLOW_LOCAL_COMMANDS": "true", "PACKWRIGHT_SANDBOX": "local"}
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    studio.start_worker()
    run = studio.scene("start", 40, "command", {"arguments": [sys.executable, "-c", deaf]})["run"]
    wait_until(lambda: studio.scene("audit", run)["attempts"] == 1, "a trial at work")
    found = studio.scene("stop", run)
    assert (found["status"], found["counts"]) == ("cancelled", {"cancelled": 40})
    assert found["attempts"] == 1
    assert not [process for process in psutil.process_iter(["cmdline"]) if deaf in (process.info["cmdline"] or [])]
