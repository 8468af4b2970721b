"""Who lacks a second factor that a team demands does nothing else before setting it up."""

import pytest
from django.urls import reverse

from packs.models import Team, Token
from studio.tokens import Wish, issue
from tests.factors import give_factor
from tests.oidc_server import visit
from tests.studio.oidc.conftest import provider, running_provider  # noqa: F401

SET_UP = "/account/second-factor/"


@pytest.fixture
def strict(team):
    Team.objects.filter(pk=team.pk).update(needs_second_factor=True)
    return team


@pytest.mark.parametrize("path", ["/", "/packs/", "/account/", "/curation/", "/api/"])
def test_every_page_leads_to_setting_it_up(as_author, strict, path):
    assert as_author.get(path).headers["Location"] == SET_UP


def test_nothing_can_be_sent_either(as_author, strict):
    made = as_author.post(reverse("studio:token-create"), {"name": "a way around", "days": "30"})
    assert made.headers["Location"] == SET_UP
    assert not Token.objects.exists()


def test_scripts_hear_that_the_session_is_of_no_use(as_author, strict):
    assert as_author.get("/packs/", headers={"HX-Request": "true"}).status_code == 401


def test_the_api_refuses_the_session_and_takes_keys(as_author, author, strict, client):
    refused = as_author.get("/api/v1/packs/")
    assert (refused.status_code, refused.json()["findings"][0]["code"]) == (403, "api.second_factor_needed")
    _, key = issue(author, Wish("pipeline"))
    assert client.get("/api/v1/packs/", headers={"authorization": f"Bearer {key}"}).status_code == 200


@pytest.mark.parametrize("header", ["Bearer nothing", "Basic nothing"])
def test_a_header_that_is_no_key_opens_nothing(as_author, strict, header):
    given = {"authorization": header}
    assert as_author.get("/packs/", headers=given).headers["Location"] == SET_UP
    assert as_author.get("/api/v1/packs/", headers=given).status_code in {401, 403}


def test_setting_up_and_signing_out_are_left(as_author, strict):
    page = as_author.get(SET_UP).text
    assert str(strict) in page
    assert as_author.post("/sign-out/").headers["Location"] == "/sign-in/"


def test_who_has_one_or_is_in_no_such_team_goes_on(as_author, author, as_stranger, strict):
    give_factor(author)
    assert as_author.get("/packs/").status_code == 200
    assert as_stranger.get("/packs/").status_code == 200


def test_who_comes_from_the_directory_is_asked_for_none(as_nobody, provider, settings, strict):
    settings.OIDC_GROUPS = f"packs={strict.slug}:author"
    provider.person["groups"] = ["packs"]
    visit(as_nobody, provider)
    assert as_nobody.get("/packs/").status_code == 200
