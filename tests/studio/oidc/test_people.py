"""Whose account an identity signs in to, and what its groups grant there."""

import pytest
from django.contrib.auth.models import User

from packs.access import Role
from packs.models import AuditEvent, Membership, Team
from studio.oidc.people import known_by_email
from studio.oidc.provider import Identity
from studio.teams.service_accounts import make_service_account
from tests.oidc_server import visit
from tests.people import PASSWORD, make_member

ACCOUNT = "/account/"


def signed_in(client):
    return client.session.get("_auth_user_id")


def enter(client, provider, **person):
    """Sign in as this person; the user of the studio, None where it let nobody in."""
    provider.person.update(person)
    client.post("/sign-out/")
    visit(client, provider)
    return User.objects.filter(pk=signed_in(client)).first()


def test_a_first_sign_in_makes_an_account_and_the_next_finds_it(as_nobody, provider):
    user = enter(as_nobody, provider)
    assert (user.username, user.email, user.first_name) == ("robin", "robin@example.org", "Robin")
    assert not user.has_usable_password()
    # The subject names a person, whatever they are called later.
    assert enter(as_nobody, provider, preferred_username="rob", email="rob@example.org") == user
    assert "sign_in.succeeded" in AuditEvent.objects.filter(actor=user).values_list("kind", flat=True)


def test_no_account_is_made_where_the_studio_says_so(as_nobody, provider, settings):
    settings.OIDC_ACCOUNTS = False
    assert enter(as_nobody, provider) is None
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["admin", "ADMIN", "\uff21dmin"])
def test_a_name_that_another_has_is_not_taken(as_nobody, provider, name):
    User.objects.create_user("admin", is_superuser=True)
    user = enter(as_nobody, provider, preferred_username=name)
    assert user.username.endswith("-2")
    assert not user.is_superuser


def test_an_account_is_found_by_an_address_that_the_directory_vouches_for(as_nobody, provider):
    owner = User.objects.create_user("robin", "Robin@example.org", PASSWORD)
    for word in (False, "true", 1, None):
        assert enter(as_nobody, provider, email_verified=word) is None
    assert enter(as_nobody, provider, email="robin@EXAMPLE.org", email_verified=True) == owner


@pytest.mark.parametrize(
    ("kept", "given"),
    [
        ("robin@example.org", "rob\u0131n@example.org"),
        ("sam@example.org", "\u017fam@example.org"),
        ("kim@example.org", "\u212aim@example.org"),
        ("\u00e4nne@example.org", "\u00c4nne@example.org"),
    ],
)
def test_an_address_with_another_letter_is_that_of_somebody_else(db, kept, given):
    User.objects.create_user("owner", kept)
    assert known_by_email(Identity("https://id.example.org", "1", email=given, is_email_verified=True)) is None


def test_an_address_is_known_letter_by_letter_beyond_ascii(db):
    owner = User.objects.create_user("owner", "\u00e4nne@example.org")
    assert known_by_email(Identity("https://id.example.org", "1", email=owner.email, is_email_verified=True)) == owner


def test_an_address_that_another_person_gets_later_does_not_lead_to_the_account_of_the_first(as_nobody, provider):
    first = enter(as_nobody, provider)
    assert enter(as_nobody, provider, sub="of-another") is None
    assert User.objects.get() == first


def test_an_address_that_nobody_vouches_for_is_not_kept(as_nobody, provider):
    assert enter(as_nobody, provider, email_verified=False).email == ""


def test_closed_accounts_and_those_of_programs_are_not_entered(as_nobody, provider, team):
    user = enter(as_nobody, provider)
    User.objects.update(is_active=False)
    assert enter(as_nobody, provider) is None
    robot = make_service_account(team, "pipeline", Role.AUTHOR, user).user
    robot.email = "robot@example.org"
    robot.save()
    assert enter(as_nobody, provider, sub="robot", email="robot@example.org") is None


def test_groups_give_roles_and_take_back_only_what_they_gave(as_nobody, provider, settings, team, other_team):
    settings.OIDC_GROUPS = f"packs={team.slug}:author;heads={team.slug}:curator;gone=nowhere:viewer"
    user = enter(as_nobody, provider, groups=["packs", "gone"])
    Membership.objects.create(team=other_team, user=user, role=Role.ADMINISTRATOR)
    assert Membership.objects.get(team=team).role == Role.AUTHOR
    enter(as_nobody, provider, groups=["packs", "heads"])
    assert Membership.objects.get(team=team).role == Role.CURATOR
    enter(as_nobody, provider, groups=[])
    assert [row.team for row in Membership.objects.filter(user=user)] == [other_team]
    kinds = list(AuditEvent.objects.filter(team=team, kind__startswith="member").values_list("kind", flat=True))
    assert kinds == ["member.deleted", "member.changed", "member.created"]


def test_a_role_that_people_gave_stays_as_it_is(as_nobody, provider, settings, team):
    user = enter(as_nobody, provider)
    Membership.objects.create(team=team, user=user, role=Role.ADMINISTRATOR)
    settings.OIDC_GROUPS = f"packs={team.slug}:viewer"
    enter(as_nobody, provider, groups=["packs"])
    enter(as_nobody, provider, groups=[])
    assert Membership.objects.get(user=user).role == Role.ADMINISTRATOR


def test_groups_give_the_administration_and_take_back_only_what_they_gave(as_nobody, provider, settings):
    settings.OIDC_GROUPS = "ops=superuser;desk=staff"
    user = enter(as_nobody, provider, groups=["ops"])
    assert (user.is_staff, user.is_superuser) == (True, True)
    user = enter(as_nobody, provider, groups=["desk"])
    assert (user.is_staff, user.is_superuser) == (True, False)
    assert not enter(as_nobody, provider, groups=[]).is_staff
    User.objects.update(is_superuser=True)
    assert enter(as_nobody, provider, groups=[]).is_superuser


def test_the_page_of_a_team_says_where_a_role_comes_from_and_nobody_changes_it_there(
    as_nobody, as_administrator, provider, settings, team
):
    settings.OIDC_GROUPS = f"packs={team.slug}:author"
    user = enter(as_nobody, provider, groups=["packs"])
    member = Membership.objects.get(user=user)
    page = as_administrator.get(f"/team/{team.slug}/")
    assert "From the directory" in page.text
    assert f"Role of {user}" not in page.text
    as_administrator.post(f"/team/{team.slug}/members/{member.pk}/role/", {"role": "administrator"})
    as_administrator.post(f"/team/{team.slug}/hand-over/", {"to": member.pk})
    member.refresh_from_db()
    assert member.role == Role.AUTHOR


def connect(client, provider, password=PASSWORD):
    page = client.post("/account/directory/", {"password": password})
    if page.status_code != 200:
        return page
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]
    return client.get(provider.authorize_of(page.headers["Refresh"].partition("url=")[2]))


def test_an_account_with_a_password_is_connected_and_disconnected_by_its_owner(
    as_author, as_nobody, author, provider, settings, other_team
):
    settings.OIDC_GROUPS = f"packs={other_team.slug}:viewer"
    provider.person["groups"] = ["packs"]
    assert connect(as_author, provider, "wrong").status_code == 422
    assert connect(as_author, provider).url == ACCOUNT
    assert enter(as_nobody, provider) == author
    assert Membership.objects.filter(user=author, team=other_team).exists()
    assert as_author.post("/account/directory/end/", {"password": "wrong"}).status_code == 422
    as_author.post("/account/directory/end/", {"password": PASSWORD})
    assert not Membership.objects.filter(user=author, team=other_team).exists()
    assert enter(as_nobody, provider) != author


def test_an_identity_of_another_is_not_taken_away(as_author, as_nobody, author, provider):
    other = enter(as_nobody, provider)
    connect(as_author, provider)
    assert enter(as_nobody, provider) == other
    assert enter(as_nobody, provider, sub="new", email="") not in (other, author)


def test_who_left_to_connect_must_come_back_signed_in_as_the_same(as_author, provider, team):
    page = as_author.post("/account/directory/", {"password": PASSWORD})
    back = provider.authorize_of(page.headers["Refresh"].partition("url=")[2])
    as_author.force_login(make_member(Team.objects.create(slug="third", name="Third"), Role.VIEWER))
    as_author.get(back)
    assert not AuditEvent.objects.filter(kind="identity.connected").exists()
