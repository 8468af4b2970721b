from datetime import timedelta

import pytest
from django.utils import timezone

from packs.access import Role
from packs.models import Invitation, Membership
from studio.teams.invitations import InvitationEnded, Offer, find, invite, join

ONCE = Offer(Role.REVIEWER, 7)


def test_a_link_lets_in_as_many_as_it_says_and_its_secret_is_not_stored(team, administrator, stranger, other_team):
    invitation, secret = invite(team, administrator, ONCE)
    assert secret not in str(Invitation.objects.values().get())
    assert find(secret) == invitation
    assert join(invitation, stranger).role == Role.REVIEWER
    assert find(secret) is None
    stranger.memberships.filter(team=team).delete()
    with pytest.raises(InvitationEnded):
        join(invitation, stranger)


def test_a_member_keeps_the_role_and_uses_nothing_up(team, administrator):
    invitation, secret = invite(team, administrator, ONCE)
    assert join(invitation, administrator).role == Role.ADMINISTRATOR
    assert find(secret) == invitation


@pytest.mark.parametrize("cause", ["late", "demoted", "closed", "gone"])
def test_a_link_ends_with_its_time_and_with_the_rights_of_who_made_it(team, administrator, cause):
    invitation, secret = invite(team, administrator, ONCE)
    if cause == "late":
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif cause == "demoted":
        Membership.objects.update(role=Role.CURATOR)
    elif cause == "closed":
        type(administrator).objects.update(is_active=False)
    else:
        administrator.delete()
    assert find(secret) is None
    assert Invitation.objects.filter(pk=invitation.pk).exists()
