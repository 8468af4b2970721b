import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.urls import reverse

from packs.access import Role
from packs.models import Invitation, Membership
from studio.teams.invitations import MOST_OPEN, Offer, invite

STRONG = "a longer battery staple"


@pytest.fixture
def link(team, administrator):
    return reverse("studio:join", args=[invite(team, administrator, Offer(Role.AUTHOR, 7))[1]])


def invited(client, team, **data):
    return client.post(reverse("studio:invitation-new", args=[team.slug]), {"role": "viewer", **data})


def account(**data):
    return {"username": "newcomer", "password1": STRONG, "password2": STRONG, **data}


def test_a_link_is_shown_once(as_administrator, team, as_stranger, stranger):
    link = invited(as_administrator, team).context["new_link"]
    assert link not in as_administrator.get(reverse("studio:team", args=[team.slug])).text
    assert as_stranger.post(link).url == reverse("studio:team", args=[team.slug])
    assert stranger.memberships.get(team=team).role == Role.VIEWER


def test_a_link_is_mailed_where_the_site_can_mail(as_administrator, team, settings, as_stranger):
    settings.SMTP = "smtp://mail.example.org"
    answer = invited(as_administrator, team, email="ann@example.org")
    assert answer.status_code == 302
    (message,) = mail.outbox
    assert message.to == ["ann@example.org"]
    link = next(line for line in message.body.splitlines() if line.startswith("http"))
    assert "Join Default team" in as_stranger.get(link).text


def test_a_link_that_no_server_takes_is_shown(as_administrator, team, settings):
    settings.SMTP, settings.EMAIL_PORT = "smtp://127.0.0.1", 9
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    answer = invited(as_administrator, team, email="ann@example.org")
    assert answer.context["new_link"] in answer.text
    assert answer.context["unsent"] == "ann@example.org"


def test_somebody_without_an_account_makes_one_and_is_in_the_team(as_nobody, link, team):
    weak = as_nobody.post(link, account(password1="short", password2="short"))
    assert (weak.status_code, User.objects.filter(username="newcomer").exists()) == (422, False)
    assert as_nobody.post(link, account()).url == reverse("studio:team", args=[team.slug])
    assert as_nobody.get(reverse("studio:account")).status_code == 200
    assert Membership.objects.get(user__username="newcomer").role == Role.AUTHOR


def test_no_account_is_made_where_the_site_does_not_allow_it(as_nobody, link, settings):
    settings.INVITED_ACCOUNTS = False
    assert as_nobody.post(link, account()).status_code == 422
    assert not User.objects.filter(username="newcomer").exists()


def test_a_link_that_was_taken_back_lets_nobody_in(as_administrator, as_nobody, link, team):
    row = Invitation.objects.get()
    as_administrator.post(reverse("studio:invitation-end", args=[team.slug, row.pk]))
    assert as_nobody.get(link).status_code == 404
    assert as_nobody.post(link, account()).status_code == 404
    assert not User.objects.filter(username="newcomer").exists()


def test_a_team_has_so_many_open_invitations_at_most(as_administrator, administrator, team):
    for _ in range(MOST_OPEN):
        invite(team, administrator, Offer(Role.VIEWER, 1))
    assert invited(as_administrator, team).status_code == 422
