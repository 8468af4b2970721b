import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db


def test_a_browser_gets_the_whole_page(as_author):
    assert "<html" in as_author.get(reverse("packs:catalogue")).text


def test_htmx_gets_the_changed_part_of_the_same_address(as_author):
    response = as_author.get(reverse("packs:catalogue"), headers={"HX-Request": "true"})
    assert "<html" not in response.text
    assert 'id="pack-list"' in response.text


def test_going_back_in_the_history_gets_the_page(as_author):
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in as_author.get(reverse("packs:catalogue"), headers=headers).text


def test_caches_keep_page_and_part_apart(as_author):
    assert "HX-Request" in as_author.get(reverse("packs:catalogue")).headers["Vary"]
