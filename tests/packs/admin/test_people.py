"""Teams, users and keys in curation."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from packs.access import Role
from packs.models import Membership, Team, Token
from studio.tokens import Wish, issue
from tests.packs.admin.acts import act, ids
from tests.people import client_of, make_member


def team_form(team, *rows):
    """The form of a team; each row is (membership id or "", user id, role)."""
    initial = sum(bool(row[0]) for row in rows)
    data = {
        "name": team.name,
        "slug": team.slug,
        "memberships-TOTAL_FORMS": len(rows),
        "memberships-INITIAL_FORMS": initial,
    }
    for index, (key, user, role) in enumerate(rows):
        data |= {
            f"memberships-{index}-id": key,
            f"memberships-{index}-team": team.pk,
            f"memberships-{index}-user": user,
            f"memberships-{index}-role": role,
        }
    return data


def test_an_administrator_gives_a_colleague_a_role_in_the_own_team(team, staff_administrator):
    colleague = User.objects.create_user("colleague")
    client = client_of(staff_administrator)
    url = reverse("admin:packs_team_change", args=[team.pk])
    assert client.get(url).status_code == 200
    own = Membership.objects.get(user=staff_administrator)
    form = team_form(team, (own.pk, staff_administrator.pk, own.role), ("", colleague.pk, "author"))
    assert client.post(url, form).status_code == 302
    assert Membership.objects.get(user=colleague).role == Role.AUTHOR


def test_an_administrator_finds_colleagues_by_name_but_no_accounts(staff_administrator):
    User.objects.create_user("colleague")
    client = client_of(staff_administrator)
    query = {"app_label": "packs", "model_name": "membership", "field_name": "user", "term": "colle"}
    assert client.get(reverse("admin:autocomplete"), query).json()["results"][0]["text"] == "colleague"
    assert client.get(reverse("admin:auth_user_changelist")).status_code == 403


def test_a_team_of_others_is_out_of_reach(other_team, staff_administrator):
    client = client_of(staff_administrator)
    url = reverse("admin:packs_team_change", args=[other_team.pk])
    form = team_form(other_team, ("", staff_administrator.pk, "administrator"))
    assert client.post(url, form).status_code == 302
    assert not other_team.memberships.exists()
    assert client.get(reverse("admin:packs_team_add")).status_code == 403


def test_a_curator_cannot_change_who_is_in_the_team(team, curator):
    client = client_of(curator)
    assert ids(client.get(reverse("admin:packs_team_changelist"))) == []
    own = Membership.objects.get(user=curator)
    form = team_form(team, (own.pk, curator.pk, "administrator"))
    client.post(reverse("admin:packs_team_change", args=[team.pk]), form)
    own.refresh_from_db()
    assert own.role == Role.CURATOR


def test_teams_count_all_members(team, members, as_superuser, staff_administrator_of_two):
    for client in (as_superuser, client_of(staff_administrator_of_two)):
        rows = client.get(reverse("admin:packs_team_changelist")).context["cl"].result_list
        assert {row.slug: row.member_count for row in rows}["default"] == len(Role) + 1


@pytest.fixture
def staff_administrator_of_two(team, other_team):
    user = make_member(other_team, Role.ADMINISTRATOR)
    user.is_staff = True
    user.save()
    Membership.objects.create(team=team, user=user, role=Role.ADMINISTRATOR)
    return user


def test_a_superuser_makes_teams_and_accounts(as_superuser):
    url = reverse("admin:packs_team_add")
    assert as_superuser.get(url).status_code == 200
    assert as_superuser.post(url, team_form(Team(name="Night", slug="night"))).status_code == 302
    assert Team.objects.filter(slug="night").exists()
    secret = "a long and rare phrase"
    form = {"username": "newcomer", "password1": secret, "password2": secret, "usable_password": "true"}
    assert as_superuser.get(reverse("admin:auth_user_add")).status_code == 200
    assert as_superuser.post(reverse("admin:auth_user_add"), form).status_code == 302
    assert User.objects.get(username="newcomer").check_password(secret)


def test_accounts_and_their_passwords_are_for_superusers(as_superuser, staff_administrator, superuser):
    staff = client_of(staff_administrator)
    for name in ("auth_user_change", "auth_user_password_change"):
        url = reverse(f"admin:{name}", args=[superuser.pk])
        assert as_superuser.get(url).status_code == 200
        assert staff.get(url).status_code == 403


def test_a_revoked_key_opens_nothing(as_superuser, author, client):
    token, key = issue(author, Wish("laptop"))
    assert as_superuser.get(reverse("admin:packs_token_change", args=[token.pk])).status_code == 200
    headers = {"Authorization": f"Bearer {key}"}
    assert client.get("/api/v1/packs/", headers=headers).status_code == 200
    act(as_superuser, "packs_token", "revoke", token.pk)
    assert not Token.objects.exists()
    assert client.get("/api/v1/packs/", headers=headers).status_code == 401


def test_staff_see_their_own_keys_only(curator, author):
    issue(author, Wish("laptop"))
    own, _ = issue(curator, Wish("desk"))
    client = client_of(curator)
    assert ids(client.get(reverse("admin:packs_token_changelist"))) == [own.pk]


def test_who_sets_a_password_is_told_that_keys_go_on_working(as_superuser, author):
    page = as_superuser.get(reverse("admin:auth_user_password_change", args=[author.pk]))
    assert "Keys for the API go on working" in page.text
