import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from packs.access import Permission, Role
from packs.views.shared.lookup import find_pack, find_team, find_version
from tests.packs.drafts import draft_of


@pytest.fixture
def draft(team):
    return draft_of(team)


def test_every_member_finds_the_pack_with_what_the_role_may(members, draft):
    for role, user in members.items():
        subject = find_pack(user, "default", "parcels")
        assert subject.pack == draft
        assert (Permission.EDIT in subject.may) == (role in {Role.AUTHOR, Role.CURATOR, Role.ADMINISTRATOR})


def test_a_stranger_is_told_that_there_is_no_such_pack(stranger, draft):
    with pytest.raises(Http404):
        find_pack(stranger, "default", "parcels")


def test_who_sees_a_pack_but_may_not_change_it_is_denied(members, draft):
    with pytest.raises(PermissionDenied):
        find_pack(members[Role.VIEWER], "default", "parcels", Permission.EDIT)


def test_a_pack_is_found_in_its_own_team_only(author, draft):
    with pytest.raises(Http404):
        find_pack(author, "other", "parcels")


def test_a_number_without_a_version_is_not_found(draft):
    with pytest.raises(Http404):
        find_version(draft, 7)


def test_a_team_is_found_with_the_role_by_its_members_alone(team, author, stranger):
    assert find_team(author, team.slug, Permission.READ).role == "author"
    with pytest.raises(PermissionDenied):
        find_team(author, team.slug)
    with pytest.raises(Http404):
        find_team(stranger, team.slug, Permission.READ)
