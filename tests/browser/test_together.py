"""Two people in one draft, each in a browser of their own: who is where, what the other writes, and conflicts."""

import re

import pytest
from playwright.sync_api import expect

from packs import editing
from packs.access import Role
from packs.editing import Change
from tests.browser.test_pages_of_authors import is_for_everybody
from tests.browser.test_workbench import EDIT, control, field, saved
from tests.people import client_of, make_member

pytestmark = pytest.mark.browser
VALUE, KEY = "/inputs/0/value", "/inputs/0/key"


@pytest.fixture
def other(team):
    return make_member(team, Role.CURATOR)


@pytest.fixture
def pages(open_apart, as_author, other, case):
    """The page of a case before an author and before a curator."""
    path = f"{EDIT}cases/{case.pk}/"
    return open_apart(as_author, path), open_apart(client_of(other), path)


def stored(case):
    case.refresh_from_db()
    return case.document


def test_people_see_who_else_is_here_and_at_which_field(pages, other, author, errors):
    first, second = pages
    here = first.get_by_role("list", name="Also here")
    expect(here).to_contain_text(other.username)
    control(second, KEY).focus()
    expect(here).to_contain_text(f"{other.username}: case-0 › Inputs › 1 › Key")
    expect(field(first, KEY).locator(".here")).to_have_text(other.username)
    expect(first.locator(".bench__outline [aria-current] .here")).to_be_visible()
    expect(second.get_by_role("list", name="Also here")).to_contain_text(author.username)
    second.close()
    expect(here).to_have_count(0)
    expect(first.locator(".here")).to_have_count(0)
    assert errors == []


def test_a_viewer_is_seen_and_sees_and_a_stranger_hears_nothing(open_apart, as_author, stranger, team, case, errors):
    viewer = make_member(team, Role.VIEWER)
    path = f"{EDIT}cases/{case.pk}/"
    page, theirs = open_apart(as_author, path), open_apart(client_of(viewer), path)
    expect(page.get_by_role("list", name="Also here")).to_contain_text(viewer.username)
    expect(theirs.get_by_role("list", name="Also here")).to_be_visible()
    assert client_of(stranger).get(f"{path}presence/?visit=aaaaaaaaaa").status_code == 404
    assert errors == []


def test_what_others_write_appears_and_the_caret_stays(pages, case, errors):
    first, second = pages
    box = control(first, VALUE)
    box.focus()
    box.evaluate("box => box.setSelectionRange(5, 5)")
    control(second, KEY).fill("asked")
    expect(control(first, KEY)).to_have_value("asked")
    expect(first.locator(".cm-content")).to_contain_text("asked")
    expect(box).to_be_focused()
    assert box.evaluate("box => box.selectionStart") == 5
    first.keyboard.type("ever ")
    saved(first)
    expect(control(second, VALUE)).to_have_value("Whereever  is parcel case-0?")
    assert (stored(case)["inputs"][0]["key"], stored(case)["inputs"][0]["value"][:9]) == ("asked", "Whereever")
    assert errors == []


@pytest.mark.intercepts
def test_what_is_being_typed_stays_while_others_save(pages, case, errors):
    first, second = pages
    first.route("**/field/", lambda route: None)
    box = control(first, VALUE)
    box.focus()
    first.keyboard.press("End")
    first.keyboard.type(" Not yet saved")
    control(second, KEY).fill("asked")
    expect(control(first, KEY)).to_have_value("asked")
    expect(box).to_have_value("Where is parcel case-0? Not yet saved")
    expect(box).to_be_focused()
    assert errors == []


@pytest.mark.intercepts
def test_what_is_typed_goes_along_when_its_list_moves(pages, case, other, draft, errors):
    first, _ = pages
    box = control(first, VALUE)
    box.focus()
    first.keyboard.press("End")
    fresh = {"key": "before", "kind": "text", "value": "Before it"}
    editing.apply(draft, [Change(case.kind, case.pk, "/inputs/0", fresh, insert=True)], other)
    expect(control(first, VALUE)).to_have_value("Before it")
    expect(control(first, "/inputs/1/value")).to_be_focused()
    first.keyboard.type(" Now?")
    saved(first)
    first.wait_for_function("() => document.querySelector('#savestate').textContent.includes('Saved')")
    assert [each["value"] for each in stored(case)["inputs"]][:2] == ["Before it", "Where is parcel case-0? Now?"]
    assert errors == []


def disputed(first, second):
    """Both write the same field at the same time; the second is first."""
    first.route(re.compile("/presence/"), lambda route: route.abort())
    control(second, VALUE).fill("theirs")
    saved(second)
    control(first, VALUE).fill("mine")
    notice = field(first, VALUE).locator(".dispute")
    expect(notice).to_contain_text("theirs")
    expect(notice).to_contain_text("mine")
    return notice


def test_a_conflict_stands_at_its_field_with_both_authors_until_one_is_chosen(pages, case, author, other):
    first, second = pages
    notice = disputed(first, second)
    expect(notice).to_contain_text(other.username)
    expect(notice).to_contain_text(author.username)
    assert is_for_everybody(first)
    control(first, VALUE).press("End")
    first.keyboard.type(" still")
    control(first, KEY).fill("asked")
    expect(control(second, KEY)).to_have_value("asked")
    expect(first.locator("#savestate")).not_to_contain_text("Saved")
    assert stored(case)["inputs"][0]["value"] == "theirs"
    expect(notice).to_be_visible()
    notice.get_by_role("button", name="Use mine").click()
    expect(control(second, VALUE)).to_have_value("mine still")
    expect(first.locator(".dispute")).to_have_count(0)
    saved(first)
    assert stored(case)["inputs"][0]["value"] == "mine still"


def test_who_keeps_what_the_other_wrote_sees_it(pages, case):
    first, second = pages
    notice = disputed(first, second)
    notice.get_by_role("link", name="Keep theirs").click()
    expect(control(first, VALUE)).to_have_value("theirs")
    expect(first.locator(".dispute")).to_have_count(0)
    saved(first)
    assert stored(case)["inputs"][0]["value"] == "theirs"


@pytest.mark.intercepts
def test_an_own_save_does_not_hide_that_others_edited_meanwhile(pages, case, errors):
    first, second = pages
    first.route(re.compile("/presence/"), lambda route: route.fulfill(status=204))
    control(second, KEY).fill("asked")
    saved(second)
    control(first, VALUE).fill("Saved upon theirs")
    expect(control(first, KEY)).to_have_value("asked")
    saved(first)
    assert (stored(case)["inputs"][0]["key"], stored(case)["inputs"][0]["value"]) == ("asked", "Saved upon theirs")
    assert errors == []


def test_a_page_that_nobody_sees_asks_nothing(pages, errors):
    first, second = pages
    here = first.get_by_role("list", name="Also here")
    expect(here).to_be_visible()
    hide = "Object.defineProperty(document, 'hidden', {get: () => %s, configurable: true});"
    second.evaluate(hide % "true" + "document.dispatchEvent(new Event('visibilitychange'))")
    expect(here).to_have_count(0)
    second.evaluate(hide % "false" + "document.dispatchEvent(new Event('visibilitychange'))")
    expect(here).to_be_visible()
    assert errors == []


def test_somebody_whose_case_is_removed_by_another_is_told_so(pages, draft, case, other, errors):
    first, _ = pages
    editing.remove_node(draft, case.kind, case.pk, other)
    expect(first.locator("#savestate")).to_contain_text("Somebody else removed this")
    # What the page had asked for at that moment is not there any more.
    assert [text for text in errors if "404" not in text] == []


GRID, WHOLE = "sets/{}/rows/", "yaml/"


@pytest.fixture
def grids(open_apart, as_author, other, case):
    """The grid of a set before an author and before a curator."""
    path = f"{EDIT}{GRID.format(case.input_set_id)}"
    return open_apart(as_author, path), open_apart(client_of(other), path)


def cell(page, case, column="/inputs/[prompt]/value"):
    return page.locator(f'#case-{case.pk} .cell[data-at="{column}"]')


def test_the_grid_shows_who_is_at_which_cell_and_what_they_write(grids, case, other, errors):
    first, second = grids
    second_case = case.pack.cases.get(key="case-1")
    cell(first, second_case).dblclick()
    box = cell(first, second_case).locator("textarea")
    box.fill("Not yet saved")
    box.evaluate("box => box.setSelectionRange(3, 3)")
    cell(second, case).dblclick()
    expect(first.locator(f"#case-{case.pk} td .here")).to_have_text(other.username)
    expect(first.get_by_role("list", name="Also here")).to_contain_text("case-0 › Inputs › 1 › Value")
    cell(second, case).locator("textarea").fill("Where is it?")
    second.keyboard.press("Enter")
    expect(cell(first, case)).to_have_text("Where is it?")
    expect(box).to_have_value("Not yet saved")
    expect(box).to_be_focused()
    assert box.evaluate("box => box.selectionStart") == 3
    first.keyboard.press("Enter")
    expect(cell(second, second_case)).to_have_text("Not yet saved")
    assert errors == []


def test_a_conflict_in_the_grid_stands_in_its_cell_with_both_values_and_authors(grids, case, author, other):
    first, second = grids
    for page, text in [(first, "mine"), (second, "theirs")]:
        cell(page, case).dblclick()
        cell(page, case).locator("textarea").fill(text)
    second.keyboard.press("Enter")
    expect(cell(second, case)).to_have_text("theirs")
    first.keyboard.press("Enter")
    said = cell(first, case).locator(".cell__findings")
    expect(said).to_contain_text(f"{other.username} changed this meanwhile to “theirs”")
    expect(said).to_contain_text(author.username)
    expect(cell(first, case).locator("textarea")).to_have_value("mine")
    first.keyboard.press("Enter")
    expect(cell(second, case)).to_have_text("mine")
    assert stored(case)["inputs"][0]["value"] == "mine"


def test_a_case_that_another_removes_keeps_what_is_typed_into_its_cell(grids, case, draft, other):
    first, _ = grids
    cell(first, case).dblclick()
    cell(first, case).locator("textarea").fill("Not yet saved")
    last = draft.cases.get(key="case-2")
    for each in (last, case):
        editing.remove_node(draft, each.kind, each.pk, other)
    expect(first.locator(f"#case-{last.pk}")).to_have_count(0)
    expect(cell(first, case).locator("textarea")).to_have_value("Not yet saved")
    first.keyboard.press("Enter")
    expect(cell(first, case)).to_contain_text("somebody else removed this case")


@pytest.fixture
def texts(open_apart, as_author, other, case):
    """The YAML of the whole pack before an author, and a case of it before a curator."""
    page = open_apart(as_author, f"{EDIT}{WHOLE}")
    expect(page.locator(".cm-content")).to_be_visible()
    return page, open_apart(client_of(other), f"{EDIT}cases/{case.pk}/")


def put_caret(page, text):
    """Find a text of the whole pack, and go to the end of its line."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+f")
    page.locator(".cm-search [name=search]").press_sequentially(text)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("End")


def test_the_text_of_the_whole_pack_follows_others_beside_what_is_typed(texts, case, other, author, errors):
    first, second = texts
    expect(first.get_by_role("list", name="Also here")).to_contain_text(other.username)
    put_caret(first, "title: Locate a parcel")
    expect(second.get_by_role("list", name="Also here")).to_contain_text("YAML › challenges › locate › title")
    first.keyboard.type(" now")
    control(second, VALUE).fill("Theirs")
    saved(second)
    expect(first.locator(".cm-content")).to_contain_text("Theirs")
    first.keyboard.type(" and here")
    first.get_by_role("button", name="Apply").click()
    expect(first.locator("#yaml-state")).to_be_empty()
    challenge = case.pack.challenges.get()
    assert challenge.document["title"] == "Locate a parcel now and here"
    assert stored(case)["inputs"][0]["value"] == "Theirs"
    assert errors == []


def test_a_conflict_in_the_whole_pack_is_decided_with_both_values_and_authors(texts, case, author, other):
    first, second = texts
    put_caret(first, "value: Where is parcel case-0?")
    first.keyboard.type(" Mine")
    control(second, VALUE).fill("Theirs")
    saved(second)
    expect(first.locator("#yaml-state")).to_contain_text("Others edited the lines that you edit")
    first.get_by_role("button", name="Apply").click()
    asked = first.locator(".conflict")
    expect(asked).to_contain_text(f"by {other.username}")
    expect(asked).to_contain_text("Theirs")
    asked.get_by_label("Yours, not saved").check()
    first.get_by_role("button", name="Apply").click()
    expect(first.locator(".conflict")).to_have_count(0)
    assert stored(case)["inputs"][0]["value"] == "Where is parcel case-0? Mine"
