"""Packs that nobody runs."""

import pytest
from django.urls import reverse

from packs.companion import Alone, accompany, companion
from tests.runs.studio_packs import pack_text, publish_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def alone():
    known = companion()
    accompany(Alone())
    yield
    accompany(known)


@pytest.mark.usefixtures("alone")
def test_their_pages_work_and_lead_to_no_page_of_runs(team, author, as_author):
    pack = publish_text(team, author, pack_text({"default": 1})).pack
    where = [team.slug, pack.slug]
    for address in (reverse("packs:catalogue"), reverse("packs:catalogue") + "?sort=-share"):
        assert "Never" in as_author.get(address).text
    assert "No run of this pack yet" in as_author.get(reverse("packs:overview", args=where)).text
    assert "runs:gates" not in as_author.get(reverse("packs:edit", args=where)).text
