"""Runs that a tester configuration starts."""

import json

import pytest
from django.core.management import call_command

from packs.access import Role
from packs.formats import yamlio
from packs.importing import import_pack
from packs.publish import publish
from runs.jobs.scores.rescoring import rescore
from runs.launch.launching import Options, launch
from runs.launch.refusals import LaunchRefused
from runs.management.testers import UnusableTester, started_by
from runs.models import Agent, Run, Trial
from runs.results.rescoring import ask_rescore
from runs.sandbox import bubblewrap
from tests.people import client_of, make_member
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db
ROW = {
    "id": "root/1",
    "family": "terminal_task",
    "input": {"instructions": "Leave a file."},
    "eval": {"checker": {"command": "test -e done"}, "needed_commands": ["chroot"]},
    "environment": {"image": "python"},
}
CONFIG = {
    "schema_version": "0.2",
    "run": {"id": "nightly", "output_dir": "runs"},
    "benchmark": {"manifest": "manifest.yaml", "tasks": "tasks.jsonl"},
    "verification": {"disallow_dangerous_commands": False},
    "harness": {"type": "command", "config": {"command": "touch done", "timeout_seconds": 20}},
}


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


@pytest.fixture
def version(team, curator):
    files = {"manifest.yaml": b"id: roots\nversion: 1\n", "tasks.jsonl": json.dumps(ROW).encode()}
    return publish(import_pack(team, curator, files, "roots"), curator)


@pytest.fixture
def written(tmp_path):
    """Write a configuration with some changes; gives its path."""

    def write(**changes):
        path = tmp_path / "tester.yaml"
        path.write_text(yamlio.write({**CONFIG, **changes}))
        return path

    return write


@pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined")
@pytest.mark.parametrize(("policy", "verdict"), [({"disallow_dangerous_commands": False}, "passed"), ({}, "failed")])
def test_checkers_run_what_the_tester_allows_and_nothing_else(version, written, policy, verdict):
    call_command("run", "start", "roots", "--tester", str(written(verification=policy)))
    run = work_off(Run.objects.get())
    trial = Trial.objects.get(run=run)
    assert (run.name, trial.run_agent.name, trial.status) == ("nightly", "nightly", verdict)


@pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined")
def test_scoring_again_allows_what_the_tester_allowed(version, written):
    call_command("run", "start", "roots", "--tester", str(written()))
    row = ask_rescore(work_off(Run.objects.get()))
    rescore(row)
    [result] = row.results.all()
    assert (result.old_status, result.status, result.has_changed) == ("passed", "passed", False)


def test_the_harness_of_a_configuration_becomes_one_agent_however_often_it_runs(team, version, written):
    first, again = (started_by(written(), team, named=False) for _ in range(2))
    assert first.agents == again.agents
    assert Agent.objects.get().config == {"arguments": ["sh", "-c", "touch done"], "timeout_seconds": 20}
    with pytest.raises(UnusableTester):
        started_by(written(harness={"type": "command", "config": {"command": ["other"]}}), team, named=False)


def test_a_harness_that_is_no_command_needs_an_agent(team, written):
    path = written(harness={"type": "codex"})
    with pytest.raises(UnusableTester):
        started_by(path, team, named=False)
    assert started_by(path, team, named=True).agents == ()


def test_a_broken_configuration_starts_nothing(version, written, capsys):
    with pytest.raises(SystemExit) as ended:
        call_command("run", "start", "roots", "--tester", str(written(schema_version="9")))
    assert ended.value.code == 2
    assert not Run.objects.exists()


def test_what_checkers_may_run_is_chosen_on_the_page_that_starts_a_run(team, curator, version):
    agent = Agent.objects.create(team=team, name="empty", kind="empty")
    client = client_of(curator)
    page = client.get("/runs/new/", {"version": version.pk})
    assert 'name="tester"' in page.content.decode()
    form = {"version": version.pk, "agent": agent.pk, "tester": "verification: {deny_commands: [mount]}\r\n"}
    refused = client.post("/runs/new/", form)
    assert (refused.status_code, refused.context["refused"].code) == (422, "invalid_tester")
    assert "deny_commands: [mount]" in refused.content.decode()
    client.post("/runs/new/", {**form, "tester": "verification: {disallow_dangerous_commands: false}"})
    assert Run.objects.get().metadata["tester_policy"] == {"disallow_dangerous_commands": False}


@pytest.mark.parametrize(
    "said",
    [
        {"tester": {"allow": "all"}},
        {"metadata": {"tester_policy": {"allow": "all"}}},
        {"metadata": {"tester_policy": 5}},
    ],
)
def test_a_policy_that_says_something_else_is_refused(curator, version, team, said):
    agent = Agent.objects.create(team=team, name="empty", kind="empty")
    with pytest.raises(LaunchRefused) as refused:
        launch(curator, version, [agent], Options(**said))
    assert refused.value.code == "invalid_tester"
