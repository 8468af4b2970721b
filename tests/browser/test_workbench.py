"""The workbench as people use it, with its script."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
EDIT = "/packs/default/parcels/edit/"


def saved(page):
    expect(page.locator("#savestate")).to_contain_text("Saved")
    page.wait_for_function("document.querySelector('#savestate').textContent.includes('rev')")


def field(page, pointer):
    return page.locator(f'[data-at="{pointer}"]').first


def control(page, pointer):
    return page.locator(f'#editor [name$=":{pointer}"]:not([type=hidden]):not(.input--kind):not(.input--key)').first


def test_a_typed_value_is_saved_checked_and_shown_in_the_yaml(open_as, as_author, case, errors):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    expect(page.locator(".cm-content")).to_contain_text("Where is parcel case-0?")
    control(page, "/inputs/0/value").fill("Where did it go?")
    expect(page.locator(".cm-content")).to_contain_text("Where did it go?")
    saved(page)
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "Where did it go?"
    control(page, "/inputs/0/key").fill("")
    expect(field(page, "/inputs/0/key").locator(".fld__finding--error")).to_be_visible()
    expect(control(page, "/inputs/0/key")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#problem-count")).to_contain_text("error")
    control(page, "/inputs/0/key").fill("prompt")
    expect(field(page, "/inputs/0/key").locator(".fld__finding")).to_have_count(0)
    expect(page.locator("#problem-count")).to_contain_text("Valid")
    assert errors == []


def test_an_edit_of_the_yaml_shows_in_the_form(open_as, as_author, case, errors):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("case_timeout_seconds: 90\n")
    expect(control(page, "/case_timeout_seconds")).to_have_value("90")
    saved(page)
    case.refresh_from_db()
    assert case.document["case_timeout_seconds"] == 90
    page.keyboard.type("inputs: [")
    expect(page.locator(".cm-lint-marker-error").first).to_be_visible()
    case.refresh_from_db()
    assert case.document["inputs"][0]["key"] == "prompt"
    assert [text for text in errors if "422" not in text] == []


def test_items_are_added_moved_and_removed_in_place(open_as, as_author, case, errors):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    field(page, "/inputs").get_by_role("button", name="Add input").click()
    expect(control(page, "/inputs/1/key")).to_be_focused()
    page.keyboard.type("second")
    page.keyboard.press("Tab")
    page.keyboard.type("text")
    saved(page)
    field(page, "/inputs/1").get_by_role("button", name="Move up").click()
    expect(control(page, "/inputs/0/key")).to_have_value("second")
    field(page, "/inputs/1").get_by_role("button", name="Remove").click()
    expect(field(page, "/inputs/1")).to_have_count(0)
    saved(page)
    case.refresh_from_db()
    assert [item["key"] for item in case.document["inputs"]] == ["second"]
    assert errors == []


def test_undo_by_key_takes_back_the_last_change_and_redo_makes_it_again(open_as, as_author, case):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    control(page, "/expectations/0/value").fill("Leeds")
    page.keyboard.press("Tab")
    saved(page)
    page.locator("h1").click()
    page.keyboard.press("Control+z")
    expect(control(page, "/expectations/0/value")).to_have_value("Hub case-0")
    page.keyboard.press("Control+Shift+z")
    expect(control(page, "/expectations/0/value")).to_have_value("Leeds")


def test_a_value_changes_its_type_and_asks_before_it_loses_anything(open_as, as_author, case):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    kind = field(page, "/inputs/0/value").get_by_label("Type of Value")
    kind.select_option("number")
    page.get_by_role("button", name="Change anyway").click()
    expect(control(page, "/inputs/0/value")).to_have_value("0")
    saved(page)
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == 0


def test_a_conflict_shows_both_values_and_the_choice_is_saved(open_as, as_author, as_administrator, case):
    first = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    second = open_as(as_administrator, f"{EDIT}cases/{case.pk}/")
    control(second, "/inputs/0/value").fill("theirs")
    saved(second)
    control(first, "/inputs/0/value").fill("mine")
    expect(first.locator(".dispute")).to_contain_text("theirs")
    first.get_by_role("button", name="Use mine").click()
    expect(control(first, "/inputs/0/value")).to_have_value("mine")
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "mine"
