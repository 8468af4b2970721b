"""An input is renamed from the field that states its key: the places before, and after."""

import re

import pytest
from playwright.sync_api import expect

from packs.access import Role
from packs.importing import import_pack
from tests.browser.test_workbench import EDIT
from tests.packs.formats.names.test_renames import PACK
from tests.people import client_of, make_member

pytestmark = pytest.mark.browser


def test_an_input_is_renamed_wherever_it_is_named(open_as, transactional_db, team, errors):
    author = make_member(team, Role.AUTHOR)
    pack = import_pack(team, author, {"pack.yaml": PACK.encode()}, "desk", slug="desk")
    case = pack.cases.get(key="one")
    page = open_as(client_of(author), f"/packs/default/desk/edit/cases/{case.pk}/")
    link = page.locator("#editor a[href*='old=question']")
    page.locator("#editor details").filter(has=link).evaluate_all(
        "items => items.forEach((item) => (item.open = true))"
    )
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rename input question")
    expect(page.get_by_text("It stands at 6 places in the pack, 1 challenge and 2 cases.")).to_be_visible()
    name = page.get_by_label("New name")
    expect(name).to_be_focused()
    name.fill("place")
    page.get_by_role("button", name="Rename and update 6 places").click()
    expect(page.get_by_role("alert")).to_contain_text("There is a payload key `place` already.")
    page.get_by_label("New name").fill("query")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(rf"/edit/cases/{case.pk}/"))
    told = "Renamed question to query. 6 places in the pack, 1 challenge and 2 cases were updated."
    expect(page.get_by_text(told)).to_be_visible()
    assert {found.document["inputs"][0]["key"] for found in pack.cases.all()} == {"query"}
    # The refusal of the taken name.
    assert [text for text in errors if "422" not in text] == []


def test_a_line_of_the_outline_and_of_the_grid_is_renamed_by_a_key(open_as, as_author, draft, case, errors):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    lines = {"case-1": page.locator(".outline"), "case-2": page.locator("#rows-table")}
    for old, area in lines.items():
        back = page.url
        area.get_by_role("link", name=old, exact=True).focus()
        page.keyboard.press("F2")
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Rename case {old}")
        page.get_by_label("New name").fill(f"{old}-b")
        page.keyboard.press("Enter")
        page.wait_for_url(back)
        expect(area.get_by_role("link", name=f"{old}-b", exact=True)).to_be_visible()
        page.goto(f"{page.url.partition('/edit/')[0]}/edit/sets/{case.input_set_id}/rows/")
    page.locator("#rows-table th a", has_text="case-1-b").first.hover()
    page.locator("#rows-table").get_by_role("link", name="Rename case-1-b").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rename case case-1-b")
    assert errors == []
