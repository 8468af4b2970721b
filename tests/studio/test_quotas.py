"""A quota that stands in the way of an upload is said on a page and over the API."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from packs.models import Pack
from tests.packs.drafts import pack_text

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _full(team):
    team.quota_storage_gb = 0
    team.save()


def test_a_page_says_which_quota_and_who_helps(as_author, team, administrator):
    file = SimpleUploadedFile("pack.yaml", pack_text())
    answer = as_author.post(reverse("packs:import"), {"team": team.pk, "files": [file]})
    assert answer.status_code == 403
    assert "Quota reached" in answer.text
    assert f"{administrator} can raise the quota." in answer.text


def test_the_api_gives_a_finding_with_a_stable_code(as_author, team):
    answer = as_author.post(f"/api/v1/packs/import/?team={team.slug}", pack_text(), content_type="application/yaml")
    [finding] = answer.json()["findings"]
    assert (answer.status_code, finding["code"], Pack.objects.count()) == (403, "storage_quota_reached", 0)
