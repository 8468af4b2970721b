from django.urls import reverse

from tests.packs.suites import draft_of_suite

URL = reverse("packs:arrangement", args=["default", "widgets"])


def test_an_author_moves_the_cases_of_a_suite(as_author, team, author):
    draft = draft_of_suite(team, author)
    shown = as_author.get(URL)
    assert all(f'value="{how}"' in shown.text for how in ("rows", "folders"))
    suite = draft.input_sets.get()
    assert as_author.post(URL, {"input_set": suite.pk, "how": "rows"}).status_code == 302
    suite.refresh_from_db()
    assert suite.document["tests"] == "./widgets.jsonl"


def test_a_way_that_is_not_offered_is_refused_and_changes_nothing(as_author, team, author):
    draft = draft_of_suite(team, author)
    assert as_author.post(URL, {"input_set": draft.input_sets.get().pk, "how": "x"}).status_code == 422
    assert "tests" not in draft.input_sets.get().document
