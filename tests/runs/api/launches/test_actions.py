"""Steering runs over the API."""

import json

import pytest

from packs.access import Role
from runs.jobs.trials.control import pause
from runs.launch.launching import launch
from runs.models import Agent
from tests.people import client_of, make_member
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def send(client, path, data=None):
    return client.post(f"/api/v1/{path}", data=json.dumps(data or {}), content_type="application/json")


def codes(response):
    return [finding["code"] for finding in response.json()["findings"]]


@pytest.fixture
def finished(author, version, agents):
    return work_off(launch(author, version, [agents["echo"], agents["empty"]]))


def test_a_run_is_paused_and_resumed(as_author, author, version, agents):
    run = launch(author, version, [agents["echo"]])
    assert send(as_author, f"runs/{run.pk}/pause/").json()["status"] == "paused"
    assert codes(send(as_author, f"runs/{run.pk}/pause/")) == ["api.run_not_active"]
    assert send(as_author, f"runs/{run.pk}/resume/").json()["status"] == "queued"
    refused = send(as_author, f"runs/{run.pk}/resume/")
    assert (refused.status_code, codes(refused)) == (409, ["api.run_not_paused"])


def test_failed_trials_are_tried_again_and_their_attempts_can_be_read(as_author, author, finished):
    assert codes(send(as_author, f"runs/{finished.pk}/retry/")) == ["api.nothing_to_retry"]
    assert send(as_author, f"runs/{finished.pk}/retry/", {"which": "all"}).status_code == 400
    answer = send(as_author, f"runs/{finished.pk}/retry/", {"which": "failed"})
    assert (answer.status_code, answer.json()["counts"]) == (202, {"passed": 3, "queued": 3})
    work_off(finished)
    trial = finished.trials.filter(run_agent__name="empty").first()
    [attempt] = as_author.get(f"/api/v1/trials/{trial.pk}/attempts/").json()["results"]
    assert (attempt["number"], attempt["status"]) == (1, "failed")
    assert attempt["events"][0]["event_type"] == "system.run.started"
    assert attempt["grades"][0]["verdict"] == "fail"


def test_trials_are_added(as_author, finished):
    assert send(as_author, f"runs/{finished.pk}/more/", {"count": 2}).json()["trial_count"] == 18
    work_off(finished)
    assert codes(send(as_author, f"runs/{finished.pk}/more/", {"count": 100})) == ["invalid_trials"]


def test_who_may_only_read_changes_nothing(team, finished, author, version, agents):
    viewer = client_of(make_member(team, Role.VIEWER))
    waiting = launch(author, version, [agents["echo"]])
    for act in ("pause", "resume", "retry", "more", "rescores"):
        assert send(viewer, f"runs/{waiting.pk}/{act}/", {"count": 1}).status_code == 403
    pause(waiting)
    assert Agent.objects.count() == 3
    assert viewer.get(f"/api/v1/runs/{finished.pk}/rescores/").status_code == 200
