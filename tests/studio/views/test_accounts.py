from datetime import timedelta

from django.urls import reverse

from packs.models import Token
from studio.tokens import Wish, digest_of, issue
from tests.people import PASSWORD, client_of

NEW_PASSWORD = "a longer battery staple"


def test_a_key_is_shown_once_and_stored_as_a_digest(as_author, author):
    response = as_author.post(reverse("studio:token-create"), {"name": "CI"})
    key = response.context["new_key"]
    assert key in response.text
    assert response.headers["Cache-Control"] == "private, no-store"
    assert Token.objects.get(user=author).digest == digest_of(key)
    assert key not in as_author.get(reverse("studio:account")).text


def test_a_key_needs_a_name(as_author):
    response = as_author.post(reverse("studio:token-create"), {"name": " "})
    assert response.status_code == 422
    assert not Token.objects.exists()


def test_a_key_is_taken_back_by_its_owner_only(as_author, as_stranger, author):
    token, _ = issue(author, Wish("CI"))
    address = reverse("studio:token-delete", args=[token.pk])
    assert as_stranger.post(address).status_code == 404
    assert as_author.post(address).status_code == 302
    assert not Token.objects.exists()


def change(client, old=PASSWORD):
    data = {"old_password": old, "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
    return client.post(reverse("studio:password"), data)


def test_a_new_password_keeps_this_session_and_ends_the_others(as_author, author):
    other = client_of(author)
    assert change(as_author).status_code == 302
    assert as_author.get(reverse("studio:account")).status_code == 200
    assert other.get(reverse("studio:account")).status_code == 302
    author.refresh_from_db()
    assert author.check_password(NEW_PASSWORD)


def test_the_old_password_is_asked_for(as_author, author):
    assert change(as_author, old="wrong").status_code == 422
    author.refresh_from_db()
    assert author.check_password(PASSWORD)


def test_the_account_is_for_those_who_are_signed_in(as_nobody):
    for name in ("account", "password", "token-create"):
        client_method = as_nobody.get if name == "account" else as_nobody.post
        assert client_method(reverse(f"studio:{name}")).status_code == 302


def test_a_key_ends_after_90_days_unless_never_is_chosen(as_author, author):
    as_author.post(reverse("studio:token-create"), {"name": "CI", "scopes": ["run"]})
    as_author.post(reverse("studio:token-create"), {"name": "old hand", "days": "never"})
    usual, endless = Token.objects.filter(user=author).order_by("pk")
    assert abs(usual.expires_at - usual.created_at - timedelta(days=90)) < timedelta(hours=1)
    assert (usual.scopes, endless.scopes, endless.expires_at) == (["read", "run"], ["read"], None)


def test_a_key_is_for_teams_and_packs_of_its_user_only(as_author, other_team):
    sent = {"name": "CI", "teams": [other_team.pk]}
    assert as_author.post(reverse("studio:token-create"), sent).status_code == 422
    assert not Token.objects.exists()


def test_who_changes_a_password_can_take_back_all_keys(as_author, author, stranger):
    issue(author, Wish("CI"))
    kept, _ = issue(stranger, Wish("theirs"))
    assert change(as_author).status_code == 302
    assert Token.objects.count() == 2
    data = {"old_password": NEW_PASSWORD, "new_password1": PASSWORD, "new_password2": PASSWORD, "revoke_keys": "on"}
    assert as_author.post(reverse("studio:password"), data).status_code == 302
    assert list(Token.objects.all()) == [kept]


def test_the_address_for_mail_changes_with_the_password_alone(as_author, author, settings):
    settings.SMTP = "smtp://mail.example.org"
    address = reverse("studio:address")
    for wrong in ({}, {"password": "not mine"}):
        assert as_author.post(address, {"email": "thief@example.org", **wrong}).status_code == 422
        author.refresh_from_db()
        assert author.email == ""
    assert as_author.post(address, {"email": "no address", "password": PASSWORD}).status_code == 422
    assert as_author.post(address, {"email": "me@example.org", "password": PASSWORD}).status_code == 302
    assert 'value="me@example.org"' in as_author.get(reverse("studio:account")).text


def test_with_a_directory_nobody_sets_the_address_by_which_it_finds_accounts(as_author, author, settings):
    settings.SMTP, settings.OIDC_ISSUER = "smtp://mail.example.org", "https://id.example.org"
    sent = {"email": "boss@example.org", "password": PASSWORD}
    assert as_author.post(reverse("studio:address"), sent).status_code == 404
    assert reverse("studio:address") not in as_author.get(reverse("studio:account")).text
    author.refresh_from_db()
    assert author.email == ""
