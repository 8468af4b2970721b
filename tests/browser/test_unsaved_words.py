"""Words that could not be saved are kept by the browser and offered again: in the workbench and its table of cases."""

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from tests.browser.late import Late
from tests.browser.test_grid import cell, value
from tests.browser.test_late_answers import is_stored, pause, stored
from tests.browser.test_workbench import EDIT, control, saved
from tests.packs.grid.benchmark import grid_draft
from tests.packs.views.workbench.conftest import someone_else  # noqa: F401
from tests.people import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.intercepts]
BROKEN = "case_timeout_seconds: [1"


@pytest.fixture
def at_case(open_as, as_author, case):
    return open_as(as_author, f"{EDIT}cases/{case.pk}/")


def offers(page):
    return page.locator("#unsaved > section")


def type_at_end(page, text):
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text)


def offer_of(page, words):
    offer = offers(page)
    expect(offer).to_have_count(1)
    expect(offer).to_contain_text(words)
    return offer


def lose_beacons(page):
    """What a page sends in leaving goes past routes."""
    page.evaluate("void (navigator.sendBeacon = () => false)")


def settle(page):
    """Until offers would be there."""
    page.wait_for_timeout(600)


def test_yaml_with_an_error_is_offered_again_and_saved_once_it_is_mended(at_case, case, errors):
    page = at_case
    type_at_end(page, BROKEN)
    expect(page.locator("#yaml-state")).to_contain_text("Not saved")
    page.reload()
    offer = offer_of(page, BROKEN)
    expect(page.locator(".cm-content")).not_to_contain_text(BROKEN)
    offer.get_by_role("button", name="Restore").click()
    expect(offers(page)).to_have_count(0)
    expect(page.locator(".cm-content")).to_contain_text(BROKEN)
    type_at_end(page, "")
    for _ in "[1":
        page.keyboard.press("Backspace")
    page.keyboard.type("90")
    expect(page.locator("#yaml-state")).to_have_text("Saved")
    assert stored(case, "case_timeout_seconds") == 90
    page.reload()
    settle(page)
    expect(offers(page)).to_have_count(0)


def test_discarded_words_are_not_offered_again(at_case):
    page = at_case
    type_at_end(page, BROKEN)
    expect(page.locator("#yaml-state")).to_contain_text("Not saved")
    page.reload()
    offer_of(page, BROKEN).get_by_role("button", name="Discard").click()
    expect(offers(page)).to_have_count(0)
    page.reload()
    settle(page)
    expect(offers(page)).to_have_count(0)


def test_words_of_a_field_survive_a_server_that_is_down(at_case, case, errors):
    page = at_case
    lose_beacons(page)
    page.route("**/field/", lambda route: route.abort())
    control(page, "/inputs/0/value").fill("Kept words")
    expect(page.locator("#savestate")).to_contain_text("Not saved")
    page.reload()
    offer_of(page, "Kept words").get_by_role("button", name="Restore").click()
    expect(control(page, "/inputs/0/value")).to_be_focused()
    page.unroute("**/field/")
    is_stored(page, case, ("inputs", 0, "value"), "Kept words")
    saved(page)
    page.reload()
    settle(page)
    expect(offers(page)).to_have_count(0)


def test_what_was_saved_in_leaving_is_not_offered(at_case, case):
    page = at_case
    control(page, "/inputs/0/value").fill("Last words")
    type_at_end(page, "case_timeout_seconds:    30   # in a hurry")
    page.locator(".crumbs a").first.click()
    is_stored(page, case, ("inputs", 0, "value"), "Last words")
    page.wait_for_url("**/packs/")
    page.go_back()
    expect(page.locator(".cm-content")).to_contain_text("case_timeout_seconds: 30")
    settle(page)
    assert offers(page).all_inner_texts() == []
    expect(page.locator("#unsaved-menu")).to_be_hidden()


def test_newer_content_of_the_server_is_shown_beside_the_words(at_case, case, someone_else):
    page = at_case
    lose_beacons(page)
    page.route("**/field/", lambda route: route.abort())
    control(page, "/inputs/0/value").fill("Mine")
    expect(page.locator("#savestate")).to_contain_text("Not saved")
    someone_else(case, "/inputs/0/value", "Theirs")
    page.unroute("**/field/")
    page.reload()
    # What the page sent in leaving was disputed, for nobody to see.
    offer = offer_of(page, "Mine")
    expect(offer).to_contain_text("Theirs")
    assert stored(case, "inputs", 0, "value") == "Theirs"
    offer.get_by_role("button", name="Restore").click()
    is_stored(page, case, ("inputs", 0, "value"), "Mine")


def test_words_of_yaml_come_back_upon_what_others_did_meanwhile(at_case, case, someone_else):
    page = at_case
    type_at_end(page, BROKEN)
    expect(page.locator("#yaml-state")).to_contain_text("Not saved")
    someone_else(case, "/inputs/0/value", "Theirs")
    page.reload()
    offer_of(page, BROKEN).get_by_role("button", name="Restore").click()
    type_at_end(page, "")
    for _ in "[1":
        page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.insert_text("90")
    expect(page.locator(".cm-content")).to_contain_text("Theirs")
    assert stored(case, "case_timeout_seconds") == 90
    assert stored(case, "inputs", 0, "value") == "Theirs"


def test_words_that_follow_an_unanswered_save_are_stored_when_the_page_is_left(at_case, case):
    page = at_case
    late = Late(page, "**/field/")
    control(page, "/inputs/0/value").fill("Nearly")
    late.wait()
    control(page, "/inputs/0/value").fill("Nearly everything")
    page.locator(".crumbs a").first.click()
    is_stored(page, case, ("inputs", 0, "value"), "Nearly everything")
    late.end()


def sign_in(page, user):
    page.get_by_label("Username").fill(user.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def test_what_is_typed_when_the_session_has_ended_waits_for_the_next(at_case, author, case, errors):
    page, address = at_case, at_case.url
    Session.objects.all().delete()
    control(page, "/inputs/0/value").fill("Typed too late")
    expect(page.locator("#signed-out")).to_be_visible()
    expect(page.locator("#savestate")).to_contain_text("Not saved")
    page.locator("#signed-out a").click()
    sign_in(page, author)
    page.wait_for_url(address)
    offer_of(page, "Typed too late").get_by_role("button", name="Restore").click()
    is_stored(page, case, ("inputs", 0, "value"), "Typed too late")


def test_a_page_goes_on_by_itself_when_its_author_signs_in_beside_it(at_case, author, case, context, live_server):
    page = at_case
    Session.objects.all().delete()
    control(page, "/inputs/0/value").fill("Typed meanwhile")
    expect(page.locator("#signed-out")).to_be_visible()
    beside = context.new_page()
    beside.goto(f"{live_server.url}/sign-in/")
    sign_in(beside, author)
    beside.wait_for_url(f"{live_server.url}/")
    is_stored(page, case, ("inputs", 0, "value"), "Typed meanwhile")
    saved(page)
    expect(page.locator("#signed-out")).to_be_hidden()
    beside.reload()
    settle(beside)
    expect(beside.locator("#unsaved-menu")).to_be_hidden()


def test_yaml_is_saved_as_soon_as_the_server_answers_again(at_case, case):
    page = at_case
    page.route("**/yaml/", lambda route: route.abort())
    type_at_end(page, "case_timeout_seconds: 30")
    expect(page.locator("#yaml-state")).to_contain_text("trying again")
    page.unroute("**/yaml/")
    expect(page.locator("#yaml-state")).to_have_text("Saved")
    assert stored(case, "case_timeout_seconds") == 30


def test_an_answer_that_was_not_tried_yet_survives_a_look_at_another_lens(open_as, as_author, case, errors):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/?lens=try")
    page.locator("#try-output").fill("An answer in the making")
    lens = page.locator("#lens")
    lens.get_by_role("link", name="Stored document").click()
    offer = offer_of(page, "An answer in the making")
    expect(offer.get_by_role("button", name="Restore")).to_be_hidden()
    lens.get_by_role("link", name="Try").click()
    offer.get_by_role("button", name="Restore").click()
    expect(page.locator("#try-output")).to_have_value("An answer in the making")
    expect(offers(page)).to_have_count(0)
    assert errors == []


@pytest.fixture
def rows(transactional_db, team):
    return grid_draft(team)


@pytest.fixture
def grid(open_as, as_author, rows):
    return open_as(as_author, f"/packs/default/rows/edit/sets/{rows.input_sets.get().pk}/rows/")


def change(page, rows, words):
    cell(page, rows, "row-1", "/input/question").dblclick()
    page.locator("[data-cell-control]").fill(words)
    page.keyboard.press("Enter")


def test_a_cell_says_that_it_is_not_saved_and_tries_again(grid, rows):
    grid.route("**/cell/save/", lambda route: route.abort())
    change(grid, rows, "Patient words")
    expect(grid.locator(".cell__findings")).to_contain_text("trying again")
    expect(grid.locator(".toast")).to_have_count(0)
    grid.unroute("**/cell/save/")
    expect(cell(grid, rows, "row-1", "/input/question")).to_have_text("Patient words")
    assert value(rows, "row-1", "input", "question") == "Patient words"


def test_words_of_a_cell_are_offered_with_its_row_and_go_back_into_it(grid, rows, errors):
    grid.route("**/cell/save/", lambda route: route.abort())
    change(grid, rows, "Words of a cell")
    expect(grid.locator(".cell__findings")).to_contain_text("Not saved")
    lose_beacons(grid)
    grid.reload()
    grid.unroute("**/cell/save/")
    offer = offer_of(grid, "Words of a cell")
    expect(offer).to_contain_text("row-1")
    offer.get_by_role("button", name="Restore").click()
    expect(grid.locator("[data-cell-control]")).to_have_value("Words of a cell")
    grid.keyboard.press("Enter")
    expect(cell(grid, rows, "row-1", "/input/question")).to_have_text("Words of a cell")
    assert value(rows, "row-1", "input", "question") == "Words of a cell"
    grid.reload()
    settle(grid)
    expect(offers(grid)).to_have_count(0)


def test_words_of_a_cell_are_offered_where_the_script_of_the_table_comes_late(grid, rows, errors):
    grid.route("**/cell/save/", lambda route: route.abort())
    change(grid, rows, "Words of a cell")
    expect(grid.locator(".cell__findings")).to_contain_text("Not saved")
    lose_beacons(grid)
    script = Late(grid, "**/dist/grid.js")
    grid.reload(wait_until="commit")
    script.wait()
    settle(grid)
    script.end()
    expect(offer_of(grid, "Words of a cell").get_by_role("button", name="Restore")).to_be_visible()


def test_a_cell_that_is_left_with_escape_keeps_nothing(grid, rows):
    cell(grid, rows, "row-1", "/input/question").dblclick()
    grid.locator("[data-cell-control]").fill("Not meant")
    pause(grid)
    grid.keyboard.press("Escape")
    grid.reload()
    settle(grid)
    expect(offers(grid)).to_have_count(0)
