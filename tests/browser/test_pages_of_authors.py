"""States of the pages of authors that show little at first: for everybody, in both themes, on desk and phone."""

import pytest
from playwright.sync_api import expect

from packs import editing
from packs.access import Role
from packs.editing import Change
from packs.formats.document import NodeKind
from packs.jobs import execute_job
from packs.models import Job
from tests.browser.axe import troubles
from tests.browser.test_tables import CELLS, paste
from tests.packs.test_repositories import apart, bound, server  # noqa: F401 - fixtures
from tests.people import client_of, make_member

pytestmark = pytest.mark.browser
PHONE, WIDE = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
PARCELS = "/packs/default/parcels/"


@pytest.fixture
def administrator(team):
    return make_member(team, Role.ADMINISTRATOR)


@pytest.fixture
def show(open_as, administrator, live_server):
    """A page for an administrator, at each address that is given."""
    page = open_as(client_of(administrator), "/packs/new/git/")

    def go(path):
        page.goto(f"{live_server.url}{path}")
        return page

    return go


def is_for_everybody(page):
    """Whether a page as it stands fits both screens, and axe finds nothing in both themes."""
    for size in (PHONE, WIDE):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], page.url
    assert troubles(page, least=None) == {}, page.url
    return True


def test_the_pages_of_a_repository_are_for_everybody(show, apart):
    page = show("/packs/new/git/")
    page.get_by_label("Address of the repository").fill("https://elsewhere.example/x.git")
    page.get_by_role("button", name="Preview the pack").click()
    expect(page.get_by_role("alert")).to_contain_text("PACKWRIGHT_WORKSPACE_SOURCES")
    assert is_for_everybody(page)
    address = f"/packs/default/{apart.pack.slug}/git/"
    show(address).get_by_role("button", name="Check for changes").click()
    page.wait_for_url("**/packs/jobs/**")
    execute_job(Job.objects.get().pk)
    choice = show(address).get_by_role("group", name="pack.name")
    choice.get_by_text("What both began with").click()
    expect(choice.get_by_label("Draft")).to_be_checked()
    assert is_for_everybody(page)


def test_pages_on_which_authors_meet_are_for_everybody(show, open_apart, as_author, draft, author, case):
    draft.needs_approval = True
    draft.save()
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/pack/name", "First")], author)
    page = show(f"{PARCELS}publish/")
    expect(page.get_by_text("You can.")).to_be_visible()
    assert is_for_everybody(page)
    other = open_apart(as_author, f"{PARCELS}edit/cases/{case.pk}/")
    other.locator("textarea:visible").first.focus()
    show(f"{PARCELS}edit/sets/{case.input_set_id}/rows/")
    expect(page.locator(".rows__table .here")).to_have_text(author.username)
    assert is_for_everybody(page)


@pytest.mark.intercepts
def test_a_choice_in_the_text_of_the_whole_pack_is_for_everybody(show, draft, author, errors):
    page = show(f"{PARCELS}edit/yaml/")
    page.route("**/presence/**", lambda route: route.abort())
    page.locator(".cm-line", has_text="name: Parcels").first.click()
    page.keyboard.press("End")
    page.keyboard.type(" mine")
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/pack/name", "Theirs")], author)
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("group", name="pack.name")).to_contain_text("Theirs")
    assert is_for_everybody(page)
    # The last line of the text is far below, and the button in sight.
    expect(page.get_by_role("button", name="Apply")).to_be_in_viewport()


def test_the_palette_and_the_list_of_keys_are_for_everybody(show, case):
    page = show(f"{PARCELS}edit/cases/{case.pk}/")
    page.keyboard.press("Control+k")
    page.keyboard.type("parcels")
    expect(page.locator("#palette [aria-selected=true]")).to_be_visible()
    assert is_for_everybody(page)
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).to_be_hidden()
    page.locator("body").press("?")
    expect(page.locator("#keys")).to_be_visible()
    assert is_for_everybody(page)


def test_a_rename_and_the_columns_of_the_grid_are_for_everybody(show, case):
    page = show(f"{PARCELS}edit/cases/{case.pk}/")
    page.locator(".outline").get_by_role("link", name="case-1", exact=True).focus()
    page.keyboard.press("F2")
    expect(page.get_by_role("heading", level=1)).to_have_text("Rename case case-1")
    assert is_for_everybody(page)
    page.get_by_label("New name").fill("case-2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    assert is_for_everybody(page)
    page.get_by_label("New name").fill("case-b")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/edit/cases/{case.pk}/**")
    expect(page.get_by_text("Renamed case-1 to case-b.")).to_be_visible()
    assert is_for_everybody(page)
    show(f"{PARCELS}edit/sets/{case.input_set_id}/rows/").locator("summary", has_text="Columns").click()
    assert is_for_everybody(page)


def test_the_filled_preview_of_a_table_is_for_everybody(show):
    page = show("/packs/new/table/")
    paste(page, CELLS)
    page.keyboard.type("Parcels")
    expect(page.locator("[name=go]")).to_contain_text("Create with 2 cases")
    assert is_for_everybody(page)
