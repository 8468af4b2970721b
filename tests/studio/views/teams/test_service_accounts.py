from django.contrib.auth.models import User
from django.urls import reverse

from packs.models import ServiceAccount


def test_an_administrator_makes_a_pipeline_and_its_keys(as_administrator, as_author, team, client):
    new = reverse("studio:service-account-new", args=[team.slug])
    assert as_author.post(new, {"name": "nightly", "role": "author"}).status_code == 403
    page = as_administrator.post(new, {"name": "nightly", "role": "author"}).url
    key = as_administrator.post(page, {"name": "CI", "days": "30", "scopes": ["run"]}).context["new_key"]
    assert key not in as_administrator.get(page).text
    bearer = {"authorization": f"Bearer {key}"}
    assert client.get(reverse("packs-api:teams"), headers=bearer).json()[0]["permissions"] == ["read", "run"]
    account = ServiceAccount.objects.get()
    token = account.user.tokens.get()
    as_administrator.post(reverse("studio:service-key-delete", args=[team.slug, account.pk, token.pk]))
    assert client.get(reverse("packs-api:teams"), headers=bearer).status_code == 401


def test_a_name_that_is_taken_is_refused(as_administrator, team, author):
    new = reverse("studio:service-account-new", args=[team.slug])
    answer = as_administrator.post(new, {"name": author.username.upper(), "role": "author"})
    assert answer.status_code == 422
    assert User.objects.filter(username__iexact=author.username).count() == 1
