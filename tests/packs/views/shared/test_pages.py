from django.urls import reverse

from packs.views.shared.lookup import Subject
from packs.views.shared.pages import pages_of
from tests.packs.drafts import draft_of
from tests.packs.suites import draft_of_suite

OPTIONAL = {"metadata", "origins", "arrangement"}


def test_a_pack_has_the_pages_that_its_format_can_fill(team, author):
    assert {page.key for page in pages_of(draft_of_suite(team, author), None)} >= OPTIONAL
    assert not {page.key for page in pages_of(draft_of(team), None)} & OPTIONAL


def test_the_table_of_cases_is_that_of_the_first_input_set(team):
    pack = draft_of(team)
    grid = Subject(pack, frozenset()).context["pages"]["grid"]
    assert f"/sets/{pack.input_sets.order_by('position').first().pk}/rows/" in grid.url


def test_tabs_and_outline_lead_to_origins_arrangement_and_metadata(as_author, team, author):
    draft_of_suite(team, author)
    for name in ("packs:overview", "packs:edit"):
        text = as_author.get(reverse(name, args=["default", "widgets"]), follow=True).content.decode()
        for page in ("origins", "arrangement", "edit-slices"):
            assert f'href="{reverse(f"packs:{page}", args=["default", "widgets"])}"' in text
