"""Changing the key that stored keys are encrypted with."""

import os
import subprocess
import sys

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from runs.models import Connection, Secret, StoredReply, Webhook
from runs.models.sealing import seal, sealed_columns, unseal
from studio.second_factor.keeping import prove
from tests.factors import code_of, give_factor
from tests.runs.connections import KEY, make_connection
from tests.runs.noticed import webhook
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
    webhook(team, "https://hooks.example.org/", secret="hook-4711")
    StoredReply.objects.create(team=team, key="asked before", sealed_reply=seal("an answer"))


def test_after_resealing_the_old_key_is_not_needed_any_more(kept, settings, capsys):
    settings.ENCRYPTION_KEYS = ["the new key", "the old key"]
    call_command("reseal")
    settings.ENCRYPTION_KEYS = ["the new key"]
    assert unseal(Connection.objects.get(name="models").sealed_key) == KEY
    assert Secret.objects.get().value() == "hush-4711"
    assert unseal(Webhook.objects.get().sealed_secret) == "hook-4711"
    assert unseal(StoredReply.objects.get().sealed_reply) == "an answer"


def test_codes_of_a_second_factor_go_on_working(author, settings):
    settings.ENCRYPTION_KEYS = ["the old key"]
    secret, _ = give_factor(author)
    settings.ENCRYPTION_KEYS = ["the new key", "the old key"]
    call_command("reseal")
    settings.ENCRYPTION_KEYS = ["the new key"]
    assert prove(author, code_of(secret))


def test_a_second_factor_that_cannot_be_opened_is_named_by_its_account(author, settings):
    give_factor(author)
    settings.ENCRYPTION_KEYS = ["another one"]
    with pytest.raises(CommandError, match=f"second factor .* of '{author.username}'"):
        call_command("reseal")


def test_no_column_of_sealed_texts_is_left_out():
    named = {(model, field.name) for model in apps.get_models() for field in model._meta.local_fields}
    found = {(model, field.name) for model, field in sealed_columns()}
    assert {(model, name) for model, name in named if name.startswith("sealed")} == found


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


def test_an_address_that_may_be_secret_is_not_told(kept, settings):
    settings.ENCRYPTION_KEYS = ["another one"]
    with pytest.raises(CommandError) as refused:
        call_command("reseal")
    assert f"webhook {Webhook.objects.get().pk} of team 'default'" in str(refused.value)
    assert "hooks.example.org" not in str(refused.value)


def test_replies_that_cannot_be_opened_are_dropped_since_models_can_be_asked_again(kept, settings):
    settings.ENCRYPTION_KEYS = ["another one"]
    with pytest.raises(CommandError):
        call_command("reseal")
    assert not StoredReply.objects.exists()


def test_without_a_prepared_database_a_sentence_says_what_to_do(tmp_path):
    variables = {"PATH": os.environ["PATH"], "PACKWRIGHT_VAR": str(tmp_path)}
    command = [sys.executable, "manage.py", "reseal"]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (3, False)
    assert "manage.py prepare" in done.stderr
