import pytest

from packs.access import GRANTS, Permission, Role
from packs.models import Membership, Team
from studio.teams.members import LastAdministrator, change_role, grants, hand_over, make_team, remove, who_can_help
from studio.teams.service_accounts import make_service_account
from studio.tokens import Wish, issue


def membership(team, user):
    return Membership.objects.get(team=team, user=user)


def test_every_permission_is_said_in_words_with_the_roles_that_have_it():
    said = grants()
    assert len(said) == len(Permission)
    assert sum(may for _, by_role in said for _, may in by_role) == sum(map(len, GRANTS.values()))


@pytest.mark.parametrize("act", [remove, lambda member: change_role(member, Role.CURATOR)])
def test_the_last_administrator_neither_leaves_nor_gets_another_role(team, administrator, author, act):
    # Neither a program nor a closed account can administer a team.
    make_service_account(team, "pipeline", Role.ADMINISTRATOR, administrator)
    gone = author
    Membership.objects.filter(user=gone).update(role=Role.ADMINISTRATOR)
    gone.is_active = False
    gone.save()
    with pytest.raises(LastAdministrator, match=str(administrator)):
        act(membership(team, administrator))
    assert membership(team, administrator).role == Role.ADMINISTRATOR
    gone.is_active = True
    gone.save()
    act(membership(team, administrator))
    assert not Membership.objects.filter(user=administrator, role=Role.ADMINISTRATOR).exists()


def test_a_team_is_handed_over_to_a_member(team, administrator, author):
    hand_over(membership(team, administrator), membership(team, author))
    assert [membership(team, user).role for user in (administrator, author)] == ["curator", "administrator"]


def test_a_team_is_not_handed_over_to_a_program(team, administrator):
    account = make_service_account(team, "pipeline", Role.VIEWER, administrator)
    with pytest.raises(LastAdministrator):
        hand_over(membership(team, administrator), membership(team, account.user))
    assert membership(team, account.user).role == Role.VIEWER


def test_teams_of_one_name_have_different_addresses(author):
    assert [make_team("Über Team", author).slug for _ in range(3)] == ["uber-team", "uber-team-2", "uber-team-3"]
    assert make_team("***", author).slug == "team"
    assert Team.objects.administrable_by(author).count() == 4


def test_a_program_that_is_taken_out_of_its_team_is_closed_with_its_keys(team, administrator):
    account = make_service_account(team, "pipeline", Role.AUTHOR, administrator)
    issue(account.user, Wish("CI"))
    remove(membership(team, account.user))
    account.user.refresh_from_db()
    assert (account.user.is_active, account.user.tokens.count()) == (False, 0)


def test_those_who_can_help_are_people_who_administer(team, administrator, author):
    make_service_account(team, "pipeline", Role.ADMINISTRATOR, administrator)
    assert who_can_help([team]) == [(team, [str(administrator)])]
