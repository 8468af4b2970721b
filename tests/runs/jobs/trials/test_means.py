"""What agents take into trials."""

import pytest

from runs.engine.outcome import Verdict
from runs.engine.trial import run_trial
from runs.jobs.trials.means import Means
from runs.models import Secret
from runs.replay.causes import Fault
from runs.sandbox import SANDBOXES
from tests.runs.connections import KEY, make_connection
from tests.runs.tasks import make_task

pytestmark = pytest.mark.django_db


def run_with(entrant):
    events = []
    return run_trial(make_task(), entrant, SANDBOXES["local"], events.append), events


def make_secret(team, name="TRACKER", value="hush-4711"):
    secret = Secret(team=team, name=name)
    secret.set_value(value)
    secret.save()


def test_an_entrant_has_its_endpoint_and_the_secrets_of_its_team_alone(team, other_team, model_server):
    make_secret(team)
    make_secret(other_team, "THEIRS", "theirs-4711")
    connection = make_connection(team, model_server)
    entrant = Means.of(team).entrant("chat", {"connection": "models", "model": "small"}, connection)
    assert entrant.endpoint.name == "models"
    assert entrant.secrets == {"TRACKER": "hush-4711"}
    assert entrant.redactor.text(f"{KEY} hush-4711 theirs-4711") == "[secret] [secret] theirs-4711"
    assert "hush" not in repr(entrant)
    assert KEY not in repr(entrant)


def test_what_no_key_opens_any_more_breaks_only_who_needs_it(team, model_server, settings):
    make_secret(team)
    connection = make_connection(team, model_server)
    settings.SECRET_KEY = "another one"
    means = Means.of(team)
    assert means.secrets == {}
    config = {"connection": "models", "model": "small"}
    outcome, _ = run_with(means.entrant("chat", config, connection))
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, Fault.MACHINE)
    assert run_with(means.entrant("echo", {}, None))[0].verdict is Verdict.FAILED
    assert model_server.requests == []
