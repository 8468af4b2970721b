"""A proposal from its draft to the merge, by two people, in a real browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from packs import editing
from packs.access import Role
from packs.editing import Change
from packs.formats.document import NodeKind
from tests.packs.drafts import draft_of
from tests.people import client_of, make_member

pytestmark = pytest.mark.browser
AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
QUESTION = "Where is the parcel now?"


def look(page, size):
    """Nothing is cut off or serious on a page of this width."""
    page.set_viewport_size({"width": size, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= size
    page.evaluate(AXE.read_text())
    assert page.evaluate("axe.run(document).then(found => found.violations.map(each => each.id))") == []


def test_two_people_bring_a_proposal_into_the_draft(open_as, transactional_db, team, author, as_author, errors):
    draft = draft_of(team)
    curator = client_of(make_member(team, Role.CURATOR))

    page = open_as(as_author, "/packs/default/parcels/proposals/")
    page.get_by_role("textbox", name="What the proposal changes").fill("A clearer question")
    page.get_by_role("button", name="New proposal").click()
    page.get_by_role("link", name=re.compile("^[0-9]+ cases$")).click()
    page.get_by_role("link", name="case-0").click()
    field = page.locator('[data-at="/inputs/0/value"] textarea, [data-at="/inputs/0/value"] input.input').first
    field.fill(QUESTION)
    with page.expect_response(re.compile("/field/")):
        field.blur()
    page.get_by_role("link", name="Review and merge").click()
    page.get_by_role("button", name="Ask for a review").click()
    expect(page.get_by_text("A review is asked for.")).to_be_visible()
    address = page.url.split("/packs/")[1]

    page = open_as(curator, f"/packs/{address}")
    page.get_by_role("link", name="Comment on this field").click()
    page.get_by_role("textbox", name="Comment").fill(f"Good, @{author.username}.")
    page.get_by_role("button", name="Comment").click()
    expect(page.locator("article").get_by_text("Good,")).to_be_visible()
    look(page, 390)
    page.get_by_role("link", name="Review and merge").click()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Approved.", exact=True)).to_be_visible()

    change = Change(NodeKind.CASE, draft.cases.get(key="case-0").pk, "/inputs/0/value", "Where was it?")
    editing.apply(draft, [change], None)
    page = open_as(as_author, f"/packs/{address}")
    expect(page.get_by_text("Where was it?")).to_be_visible()
    for size in (390, 1440):
        look(page, size)
    page.get_by_role("radio", name="Proposal").check()
    page.get_by_role("button", name="Merge").click()
    expect(page.get_by_text("is merged into the draft")).to_be_visible()
    assert draft.cases.get(key="case-0").document["inputs"][0]["value"] == QUESTION
    assert errors == []
