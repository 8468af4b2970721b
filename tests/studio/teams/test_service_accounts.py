from django.urls import reverse

from packs.access import Role
from studio.teams.service_accounts import is_service_account, make_service_account
from studio.tokens import Wish, issue
from tests.people import PASSWORD


def test_a_service_account_uses_keys_and_cannot_sign_in_even_with_a_password(client, team, administrator):
    account = make_service_account(team, "pipeline", Role.VIEWER, administrator)
    assert is_service_account(account.user)
    assert not account.user.has_usable_password()
    account.user.set_password(PASSWORD)
    account.user.save()
    sent = {"username": "pipeline", "password": PASSWORD}
    assert client.post(reverse("studio:sign-in"), sent).status_code == 422
    _, key = issue(account.user, Wish("CI"))
    answer = client.get(reverse("packs-api:teams"), headers={"authorization": f"Bearer {key}"})
    assert [(each["slug"], each["permissions"]) for each in answer.json()] == [(team.slug, ["read"])]
