"""What changed between a version and the draft, brought back, and points of the history, in a real browser."""

import pytest
from playwright.sync_api import expect

from packs import editing
from packs.editing import Change
from packs.formats.document import NodeKind
from packs.publish import publish
from tests.browser.axe import troubles
from tests.packs.drafts import draft_of

pytestmark = pytest.mark.browser
PHONE, WIDE = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
QUESTION = "Where is the parcel case-0 now?"


@pytest.fixture
def draft(transactional_db, team, author):
    found = draft_of(team)
    publish(found, author)
    change = Change(NodeKind.CASE, found.cases.get(key="case-0").pk, "/inputs/0/value", QUESTION)
    editing.apply(found, [change], author)
    editing.remove_node(found, NodeKind.CASE, found.cases.get(key="case-1").pk, author)
    return found


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_everybody_can_read_what_changed(open_as, as_author, draft, errors, size):
    page = open_as(as_author, "/packs/default/parcels/changes/")
    page.set_viewport_size(size)
    for path in ("changes/", "changes/?files=", "edit/history/"):
        page.goto(page.url.split("/packs/")[0] + f"/packs/default/parcels/{path}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert troubles(page, least=None) == {}, path
    assert errors == []


def test_a_field_comes_back_and_the_history_unfolds_to_it(open_as, as_author, draft, errors):
    page = open_as(as_author, "/packs/default/parcels/changes/")
    case = page.get_by_role("article", name="case-0")
    expect(case.locator("ins").first).to_contain_text("the")
    case.get_by_role("button", name="Restore this field").click()
    expect(page.get_by_text("1 case removed.")).to_be_visible()
    expect(case).to_have_count(0)
    page.goto(page.url.split("/changes/")[0] + "/edit/history/")
    page.get_by_role("textbox", name="Name of the checkpoint").fill("Before the review")
    page.get_by_role("button", name="Save checkpoint").click()
    expect(page.get_by_text("Before the review", exact=True)).to_be_visible()
    page.get_by_text("3 changes").click()
    expect(page.locator(".moment ins").first).to_have_text("Where is parcel case-0?")
    assert errors == []
