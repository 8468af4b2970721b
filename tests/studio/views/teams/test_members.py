import pytest
from django.urls import reverse

from packs.access import Role
from packs.models import AuditEvent, Membership, Team
from studio.second_factor.keeping import has_factor
from tests.factors import give_factor


@pytest.fixture
def act_on(as_administrator, team, author):
    """Post an act on the author's membership."""

    def post(name, **data):
        member = Membership.objects.get(team=team, user=author)
        return as_administrator.post(reverse(f"studio:{name}", args=[team.slug, member.pk]), data)

    return post


def test_an_administrator_changes_roles_and_removes_members(act_on, author):
    act_on("member-role", role="curator")
    assert author.memberships.get().role == Role.CURATOR
    act_on("member-role", role="emperor")
    assert author.memberships.get().role == Role.CURATOR
    act_on("member-remove")
    assert not author.memberships.exists()


def test_a_member_leaves_and_the_last_administrator_is_told_why_not(as_author, as_administrator, team):
    address = reverse("studio:team-leave", args=[team.slug])
    assert as_author.post(address).url == reverse("studio:teams")
    assert "last administrator" in as_administrator.post(address, follow=True).text
    assert [row.role for row in team.memberships.all()] == [Role.ADMINISTRATOR]


def test_a_team_is_handed_over(as_administrator, administrator, author, team):
    to = Membership.objects.get(team=team, user=author)
    as_administrator.post(reverse("studio:team-hand-over", args=[team.slug]), {"to": to.pk})
    assert (author.memberships.get().role, administrator.memberships.get().role) == ("administrator", "curator")


def test_an_administrator_resets_the_second_factor_of_a_member(act_on, author, as_administrator, team):
    page = reverse("studio:team", args=[team.slug])
    assert "the second factor of author" not in as_administrator.get(page).text
    give_factor(author)
    assert "the second factor of author" in as_administrator.get(page).text
    act_on("member-factor-reset")
    assert not has_factor(author)
    assert AuditEvent.objects.get(kind="factor.reset").team == team


def test_the_second_factor_of_somebody_who_is_in_other_teams_too_is_not_offered(act_on, author, as_administrator, team):
    give_factor(author)
    other = Team.objects.create(slug="second", name="Second")
    Membership.objects.create(team=other, user=author, role=Role.VIEWER)
    assert "the second factor of author" not in as_administrator.get(reverse("studio:team", args=[team.slug])).text
    assert act_on("member-factor-reset").status_code == 403
    assert has_factor(author)
