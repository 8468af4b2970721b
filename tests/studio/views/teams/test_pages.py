from django.urls import reverse

from packs.access import Role
from packs.models import Membership, Team


def page_of(client, team):
    return client.get(reverse("studio:team", args=[team.slug]))


def test_a_member_reads_who_is_in_the_team_and_finds_no_button_for_others(as_author, administrator, team):
    shown = page_of(as_author, team)
    assert str(administrator) in shown.text
    for act in ("role/", "remove/", "invitations/", "accounts/", "hand-over/"):
        assert f'/{act}"' not in shown.text
    assert f"{administrator} can change roles" in shown.text


def test_an_administrator_renames_a_team_and_asks_for_approvals(as_administrator, team):
    address = reverse("studio:team", args=[team.slug])
    assert as_administrator.post(address, {"name": ""}).status_code == 422
    as_administrator.post(address, {"name": "Couriers", "needs_approval": "on"})
    assert Team.objects.values_list("name", "needs_approval").get(pk=team.pk) == ("Couriers", True)


def test_an_administrator_makes_a_team_and_others_do_not(as_administrator, as_author, administrator):
    address = reverse("studio:team-new")
    assert as_author.post(address, {"name": "New"}).status_code == 403
    assert as_administrator.post(address, {"name": "New"}).url == reverse("studio:team", args=["new"])
    assert Membership.objects.get(team__slug="new").user == administrator


def test_the_teams_of_a_person_stand_with_the_role_in_each(as_author, author, other_team, team):
    Membership.objects.create(team=other_team, user=author, role=Role.VIEWER)
    rows = as_author.get(reverse("studio:teams")).context["memberships"]
    assert [(row.team, row.role) for row in rows] == [(team, "author"), (other_team, "viewer")]


def test_members_see_what_is_used_and_administrators_set_quotas(as_administrator, as_author, team):
    address = reverse("studio:team", args=[team.slug])
    assert "no limit" in page_of(as_author, team).text
    given = {"name": team.name, "quota_trials_per_day": "0", "quota_storage_gb": "1.5"}
    assert as_administrator.post(address, given).status_code == 302
    assert Team.objects.values_list("quota_trials_per_day", "quota_storage_gb").get(pk=team.pk) == (0, 1.5)
    shown = page_of(as_author, team).text
    assert "Trials today: the quota is used up" in shown
    assert "little of the quota is left" not in shown
    assert as_administrator.post(address, {**given, "quota_storage_gb": "-1"}).status_code == 422
