import io
import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from packs.models import Token

pytestmark = pytest.mark.django_db


def run(*arguments):
    """The exit code, standard output and standard error of the command."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("token", *map(str, arguments), stdout=out, stderr=err)
    except SystemExit as ended:
        return ended.code, out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def bearer(key):
    return {"authorization": f"Bearer {key}"}


def test_a_script_takes_the_key_from_standard_output_and_it_works(author, client):
    code, key, _ = run("create", author.username, "--name", "CI")
    assert code == 0
    assert client.get("/api/v1/teams/", headers=bearer(key.strip())).status_code == 200


def test_a_key_can_be_made_for_some_days(author):
    _, text, _ = run("create", author.username, "--name", "CI", "--days", 30, "--json")
    token = Token.objects.get(pk=json.loads(text)["id"])
    assert abs(token.expires_at - timezone.now() - timedelta(days=30)) < timedelta(minutes=1)


def test_a_key_that_was_taken_back_no_longer_works(author, client):
    made = json.loads(run("create", author.username, "--name", "CI", "--json")[1])
    assert run("revoke", made["id"])[0] == 0
    assert client.get("/api/v1/teams/", headers=bearer(made["key"])).status_code == 401


def test_the_list_names_keys_without_telling_them(author):
    made = json.loads(run("create", author.username, "--name", "CI", "--json")[1])
    for text in (run("list")[1], run("list", "--json", "--user", author.username)[1]):
        assert made["prefix"] in text
        assert made["key"] not in text


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["create", "nobody", "--name", "CI"], "unknown_user"),
        (["revoke", "77"], "not_found"),
        (["list", "--user", "nobody"], "unknown_user"),
    ],
)
def test_what_is_not_there_is_told_as_one_document(author, arguments, code):
    ended, text, _ = run(*arguments, "--json")
    assert (ended, json.loads(text)["error"]["code"]) == (2, code)


@pytest.mark.parametrize("days", [0, -1, 10**9])
def test_a_term_that_is_none_makes_no_key(author, days):
    assert run("create", author.username, "--name", "CI", "--days", days)[0] == 2
    assert not Token.objects.exists()


def test_an_account_that_is_closed_gets_no_key(author):
    author.is_active = False
    author.save()
    assert run("create", author.username, "--name", "CI")[0] == 2
