import io
import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from packs.access import Role
from packs.models import Membership, Pack, Token

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
    key = json.loads(run("create", author.username, "--name", "CI", "--json")[1])
    assert run("revoke", key["id"])[0] == 0
    assert client.get("/api/v1/teams/", headers=bearer(key["key"])).status_code == 401


def test_the_list_names_keys_without_telling_them(author):
    key = json.loads(run("create", author.username, "--name", "CI", "--json")[1])
    for text in (run("list")[1], run("list", "--json", "--user", author.username)[1]):
        assert key["prefix"] in text
        assert key["key"] not in text


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["create", "nobody", "--name", "CI"], "unknown_user"),
        (["revoke", "77"], "not_found"),
        (["revoke", "--user", "nobody"], "unknown_user"),
        (["list", "--user", "nobody"], "unknown_user"),
        (["create", "author-{team}", "--name", "CI", "--team", "elsewhere"], "unknown_team"),
        (["create", "author-{team}", "--name", "CI", "--pack", "{team}/no-such-pack"], "unknown_pack"),
    ],
)
def test_what_is_not_there_is_told_as_one_document(author, team, arguments, code):
    ended, text, _ = run(*(each.format(team=team.slug) for each in arguments), "--json")
    assert (ended, json.loads(text)["error"]["code"]) == (2, code)


@pytest.mark.parametrize("days", [0, -1, 10**9])
def test_a_term_that_is_none_makes_no_key(author, days):
    assert run("create", author.username, "--name", "CI", "--days", days)[0] == 2
    assert not Token.objects.exists()


def test_an_account_that_is_closed_gets_no_key(author):
    author.is_active = False
    author.save()
    assert run("create", author.username, "--name", "CI")[0] == 2


def made(user, *arguments):
    """What the command says of a key, and its row."""
    told = json.loads(run("create", user.username, "--name", "CI", *arguments, "--json")[1])
    return told, Token.objects.get(pk=told["id"])


def test_a_key_ends_after_90_days_in_all_teams_unless_asked_otherwise(author):
    told, token = made(author)
    assert abs(token.expires_at - timezone.now() - timedelta(days=90)) < timedelta(hours=1)
    assert (told["scopes"], told["teams"], told["pack"]) == (["read", "edit", "run", "review"], None, None)


def test_a_key_can_be_made_that_never_ends(author, client):
    told, token = made(author, "--never-ends")
    assert (told["expires_at"], token.expires_at) == (None, None)
    assert client.get("/api/v1/teams/", headers=bearer(told["key"])).status_code == 200
    assert "never ends" in run("list")[1]


def test_a_key_has_the_scopes_that_were_named_and_reads(author, team, client):
    told, _ = made(author, "--scope", "run", "--scope", "review")
    assert told["scopes"] == ["read", "run", "review"]
    pack = Pack.objects.create(team=team, slug="wanted", title="Wanted")
    address, key = f"/api/v1/packs/{pack.pk}/", bearer(told["key"])
    assert client.get(address, headers=key).status_code == 200
    refused = client.post(f"{address}undo/", {}, "application/json", headers=key)
    assert (refused.status_code, "edit" in refused.text) == (403, True)


def test_a_key_for_one_team_sees_only_that_team(author, team, other_team, client):
    Membership.objects.create(team=other_team, user=author, role=Role.AUTHOR)
    told, _ = made(author, "--team", other_team.slug)
    assert told["teams"] == [other_team.slug]
    seen = client.get("/api/v1/teams/", headers=bearer(told["key"])).text
    assert f'"{other_team.slug}"' in seen
    assert f'"{team.slug}"' not in seen


def test_a_key_for_one_pack_sees_only_that_pack(author, team, client):
    wanted, other = (Pack.objects.create(team=team, slug=slug, title=slug) for slug in ("wanted", "other"))
    told, _ = made(author, "--pack", f"{team.slug}/wanted")
    assert (told["pack"], told["teams"]) == (f"{team.slug}/wanted", [])
    answers = [client.get(f"/api/v1/packs/{pack.pk}/", headers=bearer(told["key"])) for pack in (wanted, other)]
    assert [answer.status_code for answer in answers] == [200, 404]


@pytest.mark.parametrize("extra", [["--team", "{team}"], ["--scope", "administer"]])
def test_a_key_for_one_pack_is_for_no_team_and_administers_nothing(author, team, extra):
    Pack.objects.create(team=team, slug="wanted", title="Wanted")
    asked = [each.format(team=team.slug) for each in extra]
    assert run("create", author.username, "--name", "CI", "--pack", f"{team.slug}/wanted", *asked)[0] == 2
    assert not Token.objects.exists()


def test_all_keys_of_a_user_are_taken_back_at_once(author, stranger):
    made(author)
    made(author)
    kept = made(stranger)[1]
    assert run("revoke", "--user", author.username)[0] == 0
    assert list(Token.objects.all()) == [kept]
