import pytest
from django.contrib.auth.models import User
from django.http import Http404
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from packs.access import Role
from packs.api.shared.lookup import choice_in, etag_of, find_team, is_known, number_in, require_match
from packs.api.shared.refusals import Refused
from packs.models import Membership, Team


def request(**headers):
    return Request(APIRequestFactory().get("/", headers=headers))


@pytest.mark.parametrize("given", ['"3"', 'W/"3"', '"1", "3"', "*"])
def test_the_revision_that_was_read_may_be_edited(given):
    require_match(request(**{"If-Match": given}), 3)


@pytest.mark.parametrize(("given", "status"), [(None, 428), ('"2"', 412), ("3", 412), ("", 412)])
def test_an_edit_must_name_the_present_revision(given, status):
    headers = {} if given is None else {"If-Match": given}
    with pytest.raises(Refused) as refused:
        require_match(request(**headers), 3)
    assert refused.value.status_code == status


def test_what_the_client_has_is_known_by_its_etag():
    assert is_known(request(**{"If-None-Match": f"{etag_of(1)}, {etag_of(2)}"}), etag_of(2))
    assert not is_known(request(), etag_of(2))


def asking(address, user=None):
    asked = Request(APIRequestFactory().get(address))
    asked.user = user
    return asked


def test_a_word_that_no_list_has_is_an_error_and_not_an_empty_list():
    assert choice_in(asking("/?status=draft"), "status", ["draft", "active"]) == "draft"
    assert choice_in(asking("/"), "status", ["draft", "active"]) == ""
    with pytest.raises(ValidationError):
        choice_in(asking("/?status=drfat"), "status", ["draft", "active"])


def test_whoever_has_one_team_need_not_name_it(team, author):
    assert find_team(asking("/", author), "") == team


def test_whoever_has_several_teams_is_asked_which_one_is_meant(team, author):
    other = Team.objects.create(slug="other", name="Other")
    Membership.objects.create(team=other, user=author, role=Role.AUTHOR)
    with pytest.raises(ValidationError) as refused:
        find_team(asking("/", author), "")
    assert refused.value.get_codes() == {"team": "required"}


def test_whoever_has_no_team_finds_none(db):
    with pytest.raises(Http404):
        find_team(asking("/", User.objects.create_user("nobody")), "")


def test_a_number_of_an_address_is_whole_and_nothing_else():
    assert number_in(asking("/?set=12"), "set") == 12
    assert number_in(asking("/"), "set") is None
    for given in ("x", "-1", "1.5", "²", "9" * 19):
        with pytest.raises(ValidationError):
            number_in(asking(f"/?set={given}"), "set")
