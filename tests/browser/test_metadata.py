"""Metadata of a case as rows, with the script of the page."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from packs.views.workbench.addresses import ref_of
from tests.browser.axe import troubles
from tests.packs.suites import draft_of_suite

pytestmark = pytest.mark.browser


@pytest.fixture
def draft(transactional_db, team, author):
    return draft_of_suite(team, author)


@pytest.fixture
def case(draft):
    return draft.cases.get(key="first")


@pytest.fixture
def page(open_as, as_author, draft, case):
    return open_as(as_author, reverse("packs:edit-metadata", args=["default", draft.slug, ref_of(case)]))


def row(page, number):
    return page.locator("[data-meta-row]").nth(number)


def test_the_values_of_the_whole_pack_are_offered_for_the_key_that_is_typed(page, errors):
    new = row(page, 2)
    new.get_by_label("Key").fill("source_file")
    new.get_by_label("Key").blur()
    offered = new.get_by_label("Value").get_attribute("list")
    assert page.locator(f"#{offered}").get_attribute("data-key-of") == "source_file"
    new.get_by_label("Key").fill("a key that nobody has")
    new.get_by_label("Key").blur()
    assert new.get_by_label("Value").get_attribute("list") is None
    assert errors == []


def test_a_list_is_typed_in_lines_and_saved_with_what_was_there(page, case, errors):
    new = row(page, 2)
    new.get_by_label("Key").fill("levels")
    new.get_by_label("Value").fill("easy")
    new.get_by_label("Type").select_option("list")
    area = new.locator("textarea")
    expect(area).to_have_value("easy")
    area.focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("hard")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(row(page, 2).get_by_label("Value")).to_have_value("easy\nhard")
    case.refresh_from_db()
    assert case.document["metadata"] == {
        "source_row": 41,
        "test_patch": "cases/first/a.patch",
        "levels": ["easy", "hard"],
    }
    assert errors == []


def test_a_value_that_does_not_fit_its_type_is_kept_and_its_reason_read_out(page, case, errors):
    was = case.document["metadata"]
    number = row(page, 0).get_by_label("Value")
    number.fill("forty")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(number).to_have_attribute("aria-invalid", "true")
    expect(number).to_have_value("forty")
    told = page.locator(f"#{number.get_attribute('aria-describedby')}")
    expect(told).not_to_be_empty()
    case.refresh_from_db()
    assert case.document["metadata"] == was
    assert troubles(page) == {}
