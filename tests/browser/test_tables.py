"""Cells become a pack by the keyboard alone: pasted, looked at, created, with cases that can be published."""

import pytest
from playwright.sync_api import expect

from packs.formats import FORMATS
from packs.models import Pack
from tests.browser.test_beginning import press_until

pytestmark = pytest.mark.browser
CELLS = "question\tanswer\tcolour\nWhere is PX-1?\tLeeds\tred\nWhere is PX-2?\tYork\tblue\n"


def paste(page, text):
    """Put a text into the field that has the focus, as pasting does: without a key for each character."""
    expect(page.locator("#table-text")).to_be_focused()
    page.keyboard.insert_text(text)
    press_until(page, "Tab", "form:has(#table-text) [type=submit]")
    page.keyboard.press("Enter")
    expect(page.locator("#table-title")).to_be_focused()


@pytest.mark.parametrize("name", FORMATS)
def test_pasted_cells_become_a_pack_by_keys_alone(open_as, as_author, name, errors):
    page = open_as(as_author, "/packs/new/table/")
    paste(page, CELLS)
    page.keyboard.type("Parcels")
    press_until(page, "Tab", "[name=format]")
    if not page.locator(f"[name=format][value={name}]").is_checked():
        press_until(page, "ArrowDown", f"[name=format][value={name}]")
    expect(page.locator("[name=mapped]")).to_have_value(name)
    expect(page.locator("#new-table.htmx-request, .htmx-settling")).to_have_count(0)
    press_until(page, "Tab", "[name=go]")
    expect(page.locator("[name=go]")).to_contain_text("Create with 2 cases")
    page.keyboard.press("Enter")
    page.wait_for_url("**/edit/cases/**")
    pack = Pack.objects.get()
    assert (pack.slug, pack.format, pack.problem_errors, pack.cases.count()) == ("parcels", name, 0, 2)
    assert errors == []


def test_a_bad_row_is_named_until_another_column_is_chosen(open_as, as_author, errors):
    page = open_as(as_author, "/packs/new/table/")
    paste(page, "question\tanswer\tother\nWhere is PX-1?\t\tLeeds\nWhere is PX-2?\tYork\tYork\n")
    page.keyboard.type("Parcels")
    expect(page.locator("#new-table")).to_contain_text("Line 2: The column 'answer' is empty")
    expect(page.locator("[name=go]")).to_be_disabled()
    page.get_by_label("What answer stands for").select_option("")
    page.get_by_label("What other stands for").select_option("answer")
    expect(page.locator("[name=go]")).to_contain_text("Create with 2 cases")
    expect(page.locator("[name=go]")).to_be_enabled()
    expect(page.locator("#table-title")).to_have_value("Parcels")
    assert errors == []
