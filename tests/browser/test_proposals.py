"""A proposal from its draft to the merge, by two people, each in a browser of their own."""

import re

import pytest
from playwright.sync_api import expect

from packs import editing
from packs.access import Role
from packs.editing import Change
from packs.formats.document import NodeKind
from tests.browser.axe import troubles
from tests.packs.drafts import draft_of
from tests.people import client_of, make_member

pytestmark = pytest.mark.browser
VALUE = "/inputs/0/value"
QUESTION = "Where is the parcel now?"


def look(page, size):
    """Nothing is cut off or serious on a page of this width."""
    page.set_viewport_size({"width": size, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= size
    assert troubles(page, least=None) == {}


def test_two_people_bring_a_proposal_into_the_draft(open_apart, transactional_db, team, author, as_author, errors):
    draft = draft_of(team)
    curator = make_member(team, Role.CURATOR)

    page = open_apart(as_author, "/packs/default/parcels/proposals/")
    page.get_by_role("textbox", name="What the proposal changes").fill("A clearer question")
    page.get_by_role("button", name="New proposal").click()
    page.get_by_role("link", name=re.compile("^[0-9]+ cases$")).click()
    page.get_by_role("link", name="case-0", exact=True).click()
    field = page.locator(f'[data-at="{VALUE}"] textarea, [data-at="{VALUE}"] input.input').first
    field.fill(QUESTION)
    with page.expect_response(re.compile("/field/")):
        field.blur()
    page.get_by_role("link", name="Review and merge").click()
    page.get_by_role("button", name="Ask for a review").click()
    expect(page.get_by_text("A review is asked for.")).to_be_visible()

    other = open_apart(client_of(curator), f"/packs/{page.url.split('/packs/')[1]}")
    other.get_by_role("link", name="Comment on this field").click()
    other.get_by_role("textbox", name="Comment").fill(f"Good, @{author.username}. Say which parcel?")
    other.get_by_role("button", name="Comment").click()
    expect(other.locator("article").get_by_text("Good,")).to_be_visible()
    look(other, 390)

    page.reload()
    page.get_by_role("textbox", name=re.compile("Answer|Reply")).fill("The case has only one.")
    page.get_by_role("button", name=re.compile("Answer|Reply")).click()
    expect(page.get_by_text("The case has only one.")).to_be_visible()

    other.get_by_role("link", name="Review and merge").click()
    expect(other.get_by_text("The case has only one.")).to_be_visible()
    other.get_by_role("button", name="Approve").click()
    expect(other.get_by_text("Approved.", exact=True)).to_be_visible()

    change = Change(NodeKind.CASE, draft.cases.get(key="case-0").pk, VALUE, "Where was it?")
    editing.apply(draft, [change], curator)
    page.reload()
    conflict = page.get_by_role("group", name="case-0")
    expect(conflict).to_contain_text(re.compile(rf"Draft\s*by {curator.username}\s*Where was it\?"))
    expect(conflict).to_contain_text(re.compile(rf"Proposal\s*by {author.username}\s*Where is the parcel now\?"))
    for size in (390, 1440):
        look(page, size)
    conflict.get_by_role("radio", name="Proposal").check()
    page.get_by_role("button", name="Merge").click()
    expect(page.get_by_text("is merged into the draft")).to_be_visible()
    other.reload()
    expect(other.get_by_text(re.compile(rf"merged\s.+\sby {author.username}", re.DOTALL))).to_be_visible()
    assert draft.cases.get(key="case-0").document["inputs"][0]["value"] == QUESTION
    assert errors == []
