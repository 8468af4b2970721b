from django.urls import reverse

from packs.access import Role
from runs.models import SharedPage
from tests.people import client_of, make_member


def test_curators_find_who_made_a_link_and_not_its_address(author, team):
    link = SharedPage.objects.create(team=team, subject="run:1", created_by=author)
    curator = make_member(team, Role.CURATOR)
    curator.is_staff = True
    curator.save()
    page = reverse("admin:runs_sharedpage_change", args=[link.pk])
    text = client_of(curator).get(page).content.decode()
    assert (author.username in text, link.token in text, "<textarea" in text) == (True, False, False)
