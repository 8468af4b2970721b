"""Fixtures for tests of running."""

import pytest

from runs.launch.launching import seed_agents
from runs.models import Agent
from runs.models.opening import web_of
from tests.runs.studio_packs import pack_text, publish_text


@pytest.fixture
def agents(team, administrator):
    """The agents that every team starts with, by name."""
    seed_agents(team, administrator)
    return {agent.name: agent for agent in Agent.objects.filter(team=team)}


@pytest.fixture
def version(team, author):
    """A version with one input set of three cases."""
    return publish_text(team, author, pack_text({"default": 3}))


@pytest.fixture
def sets_version(team, author):
    """A version with two input sets."""
    return publish_text(team, author, pack_text({"small": 1, "large": 2}))


@pytest.fixture
def bare_version(team, author):
    """A version without input sets."""
    return publish_text(team, author, pack_text({}))


@pytest.fixture
def local_endpoints(settings):
    """Lets models be asked on this machine, as an operator would who runs them here."""
    settings.ENDPOINT_HOSTS = ["127.0.0.1"]
    yield
    web_of(("127.0.0.1",)).close()
