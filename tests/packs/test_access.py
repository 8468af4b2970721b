import pytest
from django.contrib.auth.models import AnonymousUser

from packs.access import FrozenError, Permission, Role, permissions, permissions_on
from packs.models import Case, Membership, Pack, PackVersion, Team
from tests.packs.drafts import draft_of
from tests.people import make_member

QUESTIONS = {
    Permission.READ: "visible_to",
    Permission.EDIT: "editable_by",
    Permission.RUN: "runnable_by",
    Permission.ANSWER: "answerable_by",
    Permission.REVIEW: "reviewable_by",
    Permission.ADMINISTER: "administrable_by",
}


READ, EDIT, RUN = Permission.READ, Permission.EDIT, Permission.RUN
ANSWER, REVIEW, CURATE = Permission.ANSWER, Permission.REVIEW, Permission.CURATE
# Written out, as docs/curation.md says it: a role that is granted more must be granted it here too.
MAY = {
    Role.VIEWER: {READ},
    Role.AUTHOR: {READ, EDIT, RUN, ANSWER, REVIEW},
    Role.REVIEWER: {READ, ANSWER, REVIEW},
    Role.CURATOR: {READ, EDIT, RUN, ANSWER, REVIEW, CURATE},
    Role.ADMINISTRATOR: {READ, EDIT, RUN, ANSWER, REVIEW, CURATE, Permission.ADMINISTER},
}


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.mark.parametrize("permission", Permission)
def test_a_query_shows_a_role_the_rows_that_it_grants(draft, members, permission):
    for role, user in members.items():
        for model in (Pack, Case, Team):
            assert model.objects.allowed_to(user, permission).exists() == (permission in MAY[role])


@pytest.mark.parametrize(("permission", "question"), QUESTIONS.items())
def test_a_question_by_name_asks_for_its_permission(draft, members, permission, question):
    for role, user in members.items():
        for model in (Pack, Case, Team):
            assert getattr(model.objects, question)(user).exists() == (permission in MAY[role])


@pytest.mark.parametrize("question", QUESTIONS.values())
def test_strangers_nobody_and_the_inactive_see_nothing(draft, administrator, stranger, question):
    administrator.is_active = False
    for user in (stranger, AnonymousUser(), administrator):
        for model in (Pack, Case, PackVersion):
            assert not getattr(model.objects, question)(user).exists()


def test_superusers_have_no_rows_beyond_their_teams(draft, stranger):
    stranger.is_superuser = True
    assert not Pack.objects.visible_to(stranger).exists()


def test_every_row_is_shown_once_to_a_member_of_several_teams(draft, author, other_team):
    Membership.objects.create(team=other_team, user=author, role=Role.VIEWER)
    assert Pack.objects.visible_to(author).count() == 1
    assert Team.objects.visible_to(author).count() == 2
    assert [team.slug for team in Team.objects.editable_by(author)] == ["default"]


def test_permissions_in_a_team_are_those_of_the_role(team, other_team, members, stranger):
    for role, user in members.items():
        assert permissions(user, team) == MAY[role]
        assert permissions(user, other_team) == frozenset()
    assert permissions(stranger, team) == frozenset()
    assert permissions(AnonymousUser(), team) == frozenset()


def test_only_mutable_columns_of_published_rows_are_updated(db):
    assert PackVersion.objects.update(status="archived", notes="n") == 0
    with pytest.raises(FrozenError):
        PackVersion.objects.update(status="archived", digest="")


def test_a_row_is_found_with_the_role_in_its_own_team(team, other_team, draft):
    user = make_member(team, Role.VIEWER)
    Membership.objects.create(team=other_team, user=user, role=Role.ADMINISTRATOR)
    draft_of(other_team)
    found = Pack.objects.visible_to(user).with_role()
    assert {pack.team.slug: permissions_on(user, pack) for pack in found} == {
        "default": permissions(user, team),
        "other": permissions(user, other_team),
    }
