import pytest

from runs.launch.launching import launch
from runs.models import Agent
from studio.templatetags.confinement import agent_isolation, run_isolation, trial_isolation
from tests.runs.conftest import version  # noqa: F401
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def unconfined(settings):
    settings.SANDBOX, settings.ALLOW_LOCAL_COMMANDS = "local", True


def ran(author, version, kind, config):
    agent = Agent.objects.create(team=version.pack.team, name=kind, kind=kind, config=config)
    return work_off(launch(author, version, [agent]))


def test_an_unconfined_program_is_marked_before_and_after_it_ran(unconfined, author, version):
    assert agent_isolation("command") == {"isolation": "none"}
    run = ran(author, version, "command", {"arguments": ["/bin/cat"]})
    assert run_isolation(run) == {"isolation": "none"}
    assert trial_isolation(run.trials.first()) == {"isolation": "none"}


def test_the_mark_of_a_trial_stays_what_it_was(unconfined, author, version, settings):
    run = ran(author, version, "command", {"arguments": ["/bin/cat"]})
    settings.SANDBOX = "no-such-kind"
    assert agent_isolation("command") == {"isolation": ""}
    assert run_isolation(run) == {"isolation": "none"}


def test_agents_that_run_no_programs_have_no_mark(unconfined, author, version):
    run = ran(author, version, "echo", {})
    assert agent_isolation("echo") == {"isolation": ""}
    assert run_isolation(run) == trial_isolation(run.trials.first()) == {"isolation": ""}


def test_the_pages_show_the_mark(unconfined, author, version, client):
    run = ran(author, version, "command", {"arguments": ["/bin/cat"]})
    client.force_login(author)
    trial = run.trials.first()
    agent = run.agents.get().agent
    for page in (f"/runs/{run.pk}/", f"/runs/trials/{trial.pk}/", f"/runs/new/?version={version.pk}&agent={agent.pk}"):
        response = client.get(page)
        assert response.status_code == 200, page
        assert b'data-isolation="none"' in response.content, page
