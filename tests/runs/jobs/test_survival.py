"""Trials finish exactly once, and no event is lost or doubled, whatever dies in the middle of a run."""

import shutil

import pytest

from tests.runs.endurance import cluster, endure
from tests.services import postgres_binaries

pytestmark = pytest.mark.services

CASES = 300
DELAY = 0.4
EVENTS = 5


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Two workers on PostgreSQL and Redis that all tests of this module share."""
    if postgres_binaries() is None or shutil.which("redis-server") is None:
        pytest.skip("PostgreSQL or Redis is not installed")
    with cluster(tmp_path_factory.mktemp("studio")) as found:
        yield found


def check_whole(found):
    assert (found["status"], found["counts"]) == ("completed", {"passed": CASES})
    assert (found["events"], found["ended"], found["wrong"]) == (CASES * EVENTS, CASES, [])
    assert (found["again"], found["held"], found["shares"]) == ([], 0, 0)


def test_killing_one_of_two_workers_again_and_again(place):
    # Slow trials, so that a machine that is late has some left to kill a worker at.
    found = endure(place, CASES, 3 * DELAY, [(at, place.kill_one) for at in (30, 80, 130)])
    check_whole(found)
    # What a dead worker had claimed is begun again; `again` above says that nothing else is.
    assert 0 < found["repeated"] < CASES


def test_restarting_the_broker(place):
    found = endure(place, CASES, DELAY, [(60, lambda: place.broker.restart(away=0.5))])
    check_whole(found)
    assert found["repeated"] == 0


def test_restarting_the_database(place):
    found = endure(place, CASES, DELAY, [(60, lambda: place.database.restart(away=0.5))])
    check_whole(found)
    assert found["repeated"] <= 2 * 16


def test_nothing_is_left_behind(place):
    assert place.leftovers() == {"processes": [], "files": []}
