"""Pages on a phone: what is wider than the screen can be reached, and where one is stays in sight."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from packs.access import Role
from packs.publish import publish
from tests.packs.drafts import draft_of
from tests.people import client_of, make_member

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}
IN_SIGHT = """tab => {
    const [own, row] = [tab.getBoundingClientRect(), tab.parentElement.getBoundingClientRect()];
    return own.left >= row.left && own.right <= row.right + 1;
}"""


@pytest.fixture
def phone(open_as, as_author, draft):
    def open_page(path):
        page = open_as(as_author, path)
        page.set_viewport_size(PHONE)
        page.reload()
        return page

    return open_page


def test_a_table_that_scrolls_is_named_and_reached_with_the_keyboard_only_while_it_does(phone, draft, errors):
    page = phone("/packs/")
    wrap = page.locator(".table-wrap").first
    expect(wrap).not_to_have_attribute("tabindex", "0")
    page.set_viewport_size({"width": 200, "height": 844})
    expect(wrap).to_have_attribute("tabindex", "0")
    expect(page.get_by_role("region", name="Packs that you can see")).to_be_visible()
    page.set_viewport_size(PHONE)
    expect(wrap).not_to_have_attribute("tabindex", "0")
    assert errors == []


def test_the_tab_of_the_page_is_in_sight(phone, draft, errors):
    page = phone(f"/packs/default/{draft.slug}/export/")
    page.set_viewport_size({"width": 240, "height": 844})
    page.reload()
    tab = page.locator(".tabs [aria-current]")
    expect(tab).to_have_text("Export")
    assert tab.evaluate(IN_SIGHT)
    assert errors == []


def test_the_bar_of_the_workbench_is_one_row_of_buttons_with_names(phone, draft, errors):
    page = phone(f"/packs/default/{draft.slug}/edit/pack/")
    draft.problem_errors, draft.revision = 12, 12345
    draft.save(update_fields=["problem_errors", "revision"])
    page.reload()
    names = ("Undo", "Redo")
    tops = {round(page.get_by_role("button", name=name, exact=True).bounding_box()["y"]) for name in names}
    tops |= {round(page.get_by_role("link", name=name).bounding_box()["y"]) for name in ("Whole pack", "History")}
    assert len(tops) == 1
    assert errors == []


def test_what_the_columns_of_a_pasted_table_hold_is_seen_beside_what_they_stand_for(phone, draft, errors):
    page = phone(f"/packs/default/{draft.slug}/edit/sets/{draft.input_sets.get().pk}/rows/table/")
    page.get_by_label("Rows of a spreadsheet").fill(f"case_key\tRemarks of the reviewer\nfresh\t{'so-long' * 40}")
    page.get_by_role("button", name="Preview the import").click()
    expect(page.get_by_role("combobox", name="What case_key stands for")).to_be_in_viewport()
    expect(page.get_by_role("rowheader", name="case_key")).to_contain_text("fresh")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert errors == []


def test_long_words_of_a_document_do_not_widen_the_room_for_staff(open_as, draft, errors):
    draft.document = {"pack": {"slug": draft.slug, "description": "word" * 60}}
    draft.save(update_fields=["document"])
    page = open_as(client_of(User.objects.create_superuser("root")), f"/curation/packs/pack/{draft.pk}/change/")
    for width in (PHONE["width"], 1440):
        page.set_viewport_size({"width": width, "height": 844})
        page.reload()
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("pre").first.evaluate("text => text.clientWidth") > 600
    assert errors == []


def test_the_digest_of_a_version_fits_into_a_phone(open_as, team, transactional_db, errors):
    version = publish(draft_of(team), make_member(team, Role.CURATOR))
    root = client_of(User.objects.create_superuser("root"))
    page = open_as(root, f"/curation/packs/packversion/{version.pk}/change/")
    page.set_viewport_size(PHONE)
    page.reload()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    expect(page.get_by_text(version.digest)).to_be_visible()
    assert errors == []
