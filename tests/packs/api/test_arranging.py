import pytest

from tests.packs.suites import draft_of_suite


@pytest.fixture
def draft(team, author):
    return draft_of_suite(team, author)


def test_cases_are_kept_another_way_over_the_api(as_author, draft):
    address = f"/api/v1/packs/{draft.pk}/arrangement/"
    shown = as_author.get(address).json()
    assert set(shown["ways"]) == {"inline", "rows", "folders"}
    (suite,) = shown["input_sets"]
    assert (suite["how"], suite["cases"]) == ("inline", 2)
    body = {"input_set": suite["input_set"], "how": "rows"}
    done = as_author.post(address, body, content_type="application/json")
    assert done.status_code == 200
    assert done.json()["written"]
    assert as_author.get(address).json()["input_sets"][0]["how"] == "rows"


def test_a_way_that_is_not_offered_is_refused_over_the_api(as_author, draft):
    body = {"input_set": draft.input_sets.get().pk, "how": "x"}
    address = f"/api/v1/packs/{draft.pk}/arrangement/"
    assert as_author.post(address, body, content_type="application/json").status_code == 422


def test_a_draft_is_exported_in_another_variant_over_the_api(as_author, draft):
    address = f"/api/v1/packs/{draft.pk}/export/"
    assert b"repo: https://example.org/widget.git" in as_author.get(address, {"variant": "pinned"}).content
    assert as_author.get(address, {"variant": "ancient"}).status_code == 422
