from django.urls import reverse

from tests.packs.drafts import draft_of
from tests.packs.suites import draft_of_suite

URL = reverse("packs:origins", args=["default", "widgets"])


def test_every_case_is_shown_with_where_it_comes_from(as_author, team, author):
    draft_of_suite(team, author)
    page = as_author.get(URL).context["page"]
    first, second = (each.origin for each in page)
    assert (first.repository, first.row) == ("https://example.org/widget.git", "41")
    assert (second.file, second.is_checked_out) == ("rows.csv", True)


def test_words_are_sought_in_keys_and_origins(as_author, team, author):
    draft_of_suite(team, author)
    found = {words: [each.key for each in as_author.get(URL, {"q": words}).context["page"]] for words in ("41", "CSV")}
    assert found == {"41": ["first"], "CSV": ["second"]}


def test_a_format_without_origins_says_so(as_author, team):
    draft_of(team)
    response = as_author.get(reverse("packs:origins", args=["default", "parcels"]))
    assert response.context["has_tracer"] is False
