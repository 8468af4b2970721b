"""Changing the key that stored keys are encrypted with."""

import os
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from runs.models import Connection, Secret
from runs.models.sealing import unseal
from tests.runs.connections import KEY, make_connection
from tests.services import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept(team, model_server, settings):
    settings.ENCRYPTION_KEYS = ["the old key"]
    make_connection(team, model_server)
    make_connection(team, model_server, "without a key", key="")
    secret = Secret(team=team, name="TRACKER")
    secret.set_value("hush-4711")
    secret.save()


def test_after_resealing_the_old_key_is_not_needed_any_more(kept, settings, capsys):
    settings.ENCRYPTION_KEYS = ["the new key", "the old key"]
    call_command("reseal")
    settings.ENCRYPTION_KEYS = ["the new key"]
    assert unseal(Connection.objects.get(name="models").sealed_key) == KEY
    assert Secret.objects.get().value() == "hush-4711"


def test_keys_that_trials_do_not_hide_are_named(kept, team, model_server, capsys):
    make_connection(team, model_server, "local", key="EMPTY")
    call_command("reseal")
    told = capsys.readouterr().out
    assert told.count("not hidden") == 1
    assert "connection 'local' of team 'default': The key could be an ordinary word" in told
    assert "EMPTY" not in told


def test_what_cannot_be_opened_is_named_and_stays_as_it_is(kept, settings):
    before = Secret.objects.get().sealed_value
    settings.ENCRYPTION_KEYS = ["another one"]
    with pytest.raises(CommandError, match="TRACKER"):
        call_command("reseal")
    assert Secret.objects.get().sealed_value == before


def test_without_a_prepared_database_a_sentence_says_what_to_do(tmp_path):
    variables = {"PATH": os.environ["PATH"], "PACKWRIGHT_VAR": str(tmp_path)}
    command = [sys.executable, "manage.py", "reseal"]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (3, False)
    assert "manage.py prepare" in done.stderr
