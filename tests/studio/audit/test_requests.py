from django.urls import reverse

from packs.models import AuditEvent
from tests.packs.drafts import draft_of


def test_a_download_is_recorded_with_its_team(as_author, author, team):
    pack = draft_of(team)
    address = reverse("packs:export-as", args=[team.slug, pack.slug, "file"])
    assert as_author.get(address).status_code == 200
    found = AuditEvent.objects.get(kind="file.downloaded")
    assert (found.actor, found.team, found.subject) == (author, team, address)
    as_author.get(reverse("packs:export", args=[team.slug, pack.slug]))
    assert AuditEvent.objects.filter(kind="file.downloaded").count() == 1


def test_a_download_over_the_api_is_recorded_with_its_team(as_author, team):
    pack = draft_of(team)
    assert as_author.get(f"/api/v1/packs/{pack.pk}/export/").status_code == 200
    assert AuditEvent.objects.get(kind="file.downloaded").team == team
