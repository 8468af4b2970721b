"""What people type, choose and press while an answer is on its way, or comes after a newer one, is never lost."""

import re
import time

import pytest
from playwright.sync_api import expect

from packs.models import Pack
from packs.publish import publish
from runs.launch.launching import launch
from runs.models import Run
from tests.browser.late import Late
from tests.browser.test_grid import cell, value
from tests.browser.test_workbench import EDIT, control, field, saved
from tests.packs.drafts import draft_of, pack_text
from tests.packs.grid.benchmark import grid_draft
from tests.people import client_of
from tests.runs.conftest import agents  # noqa: F401
from tests.services import STARTING_SECONDS

pytestmark = [pytest.mark.browser, pytest.mark.intercepts]
PILL = "htmx.trigger('#worker-pill', 'poll')"


@pytest.fixture
def at_case(open_as, as_author, case):
    return open_as(as_author, f"{EDIT}cases/{case.pk}/")


def stored(case, *path):
    """What is stored of a case, below a path."""
    case.refresh_from_db()
    found = case.document
    for step in path:
        found = found[step]
    return found


def is_stored(page, case, path, value):
    """Wait for it; the page goes on meanwhile, with the answers that are let through."""
    deadline = time.monotonic() + STARTING_SECONDS
    while not holds(case, path, value):
        assert time.monotonic() < deadline, (case.document, path, value)
        page.wait_for_timeout(50)


def holds(case, path, value):
    try:
        return stored(case, *path) == value
    except (KeyError, IndexError):
        return False


def pause(page):
    """Long enough for whatever the page does by itself after it was typed in."""
    page.wait_for_timeout(1_000)


def test_a_field_keeps_what_is_typed_while_it_is_drawn_anew_and_other_parts_are_too(at_case, case, errors):
    page = at_case
    late = Late(page, "**/field/")
    field(page, "/inputs").get_by_role("button", name="Add input").click()
    late.wait()
    control(page, "/inputs/0/value").fill("Typed meanwhile")
    with page.expect_response("**/workers/**"):
        page.evaluate(PILL)
    late.end()
    expect(control(page, "/inputs/1/key")).to_be_focused()
    expect(control(page, "/inputs/0/value")).to_have_value("Typed meanwhile")
    is_stored(page, case, ("inputs", 0, "value"), "Typed meanwhile")
    assert errors == []


def test_what_is_not_sent_yet_is_never_called_saved(at_case, case):
    page = at_case
    late = Late(page, "**/field/")
    control(page, "/inputs/0/value").fill("first")
    late.wait()
    control(page, "/expectations/0/value").fill("second")
    late.release()
    late.wait()
    expect(page.locator("#savestate")).to_have_text("Saving…")
    late.end()
    saved(page)
    assert stored(case, "inputs", 0, "value") == "first"
    assert stored(case, "expectations", 0, "value") == "second"


def test_a_save_on_its_way_is_not_called_saved_when_others_edit(open_as, as_administrator, at_case, case):
    page = at_case
    late = Late(page, "**/field/")
    control(page, "/inputs/0/value").fill("mine")
    late.wait()
    other = open_as(as_administrator, f"{EDIT}cases/{case.pk}/")
    control(other, "/expectations/0/value").fill("theirs")
    saved(other)
    expect(control(page, "/expectations/0/value")).to_have_value("theirs")
    expect(page.locator("#savestate")).to_have_text("Saving…")
    late.end()
    saved(page)


def test_a_field_is_saved_as_soon_as_the_server_answers_again(at_case, case):
    page = at_case
    page.route("**/field/", lambda route: route.abort())
    control(page, "/inputs/0/value").fill("patient")
    expect(page.locator("#savestate")).to_contain_text("Not saved")
    page.unroute("**/field/")
    saved(page)
    assert stored(case, "inputs", 0, "value") == "patient"
    expect(page.locator(".toast")).to_have_count(0)


def test_fields_are_saved_while_a_lens_is_slow(open_as, as_author, case, errors):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/?lens=stored")
    late = Late(page, "**/lens/?**")
    for word in ("one", "two", "three"):
        control(page, "/inputs/0/value").fill(word)
        is_stored(page, case, ("inputs", 0, "value"), word)
        saved(page)
        late.wait()
    late.end()
    expect(page.locator("#lens")).to_contain_text("three")
    assert errors == []


def test_the_yaml_shows_the_newest_state_whatever_answer_comes_last(at_case, case):
    page = at_case
    expect(page.locator(".cm-content")).to_contain_text("Where is parcel")
    control(page, "/inputs/0/value").fill("newer words")
    page.keyboard.press("Escape")
    is_stored(page, case, ("inputs", 0, "value"), "newer words")
    expect(page.locator(".cm-content")).to_contain_text("newer words")
    late = Late(page, "**/lens/?**")
    page.keyboard.press("Control+z")
    late.wait("Where is parcel")
    page.keyboard.press("Control+Shift+z")
    late.wait("newer words")
    # Also what is heard of a change lets the page ask, so there may be more than two.
    while late.kept:
        late.release(-1)
    expect(page.locator(".cm-content")).to_contain_text("newer words")
    late.end()
    pause(page)
    expect(page.locator(".cm-content")).to_contain_text("newer words")


def test_a_field_that_is_filled_while_yaml_is_saved_keeps_its_words(at_case, case):
    page = at_case
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    late = Late(page, "**/yaml/")
    # At once: a part of it would be saved first where typing is slow, and the rest wait for the field.
    page.keyboard.insert_text("case_timeout_seconds: 30")
    late.wait()
    fields = Late(page, "**/field/")
    control(page, "/inputs/0/value").fill("Words of the form")
    late.end()
    expect(control(page, "/case_timeout_seconds")).to_have_value("30")
    expect(control(page, "/inputs/0/value")).to_have_value("Words of the form")
    fields.end()
    is_stored(page, case, ("inputs", 0, "value"), "Words of the form")
    expect(page.locator(".cm-content")).to_contain_text("Words of the form")
    assert stored(case, "case_timeout_seconds") == 30


def test_what_is_typed_before_the_scripts_are_there_is_saved(context, open_as, as_author, case, live_server):
    page = open_as(as_author, "/packs/")
    late = Late(page, "**/dist/workbench.js")
    page.goto(f"{live_server.url}{EDIT}cases/{case.pk}/", wait_until="commit")
    control(page, "/inputs/0/value").fill("Early words")
    late.wait()
    late.end()
    is_stored(page, case, ("inputs", 0, "value"), "Early words")


def test_two_undos_in_a_hurry_show_what_the_second_led_to(at_case, case):
    page = at_case
    for place, word in ((("inputs", 0, "value"), "one"), (("expectations", 0, "value"), "two")):
        control(page, f"/{place[0]}/0/value").fill(word)
        page.keyboard.press("Tab")
        is_stored(page, case, place, word)
    saved(page)
    late = Late(page, "**/undo/")
    page.locator("h1").click()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    late.wait()
    pause(page)
    while late.kept:
        late.release(-1)
    late.end()
    expect(control(page, "/inputs/0/value")).to_have_value("Where is parcel case-0?")
    expect(control(page, "/expectations/0/value")).to_have_value("Hub case-0")
    assert stored(case, "inputs", 0, "value") == "Where is parcel case-0?"


def test_letters_typed_into_a_filter_survive_the_answer_to_those_before(open_as, as_author, many):
    page = open_as(as_author, f"{EDIT}cases/{many.cases.first().pk}/")
    words = page.get_by_role("searchbox", name="Filter cases")
    late = Late(page, "**/cases/?**")
    words.press_sequentially("case")
    late.wait()
    words.press_sequentially("-2")
    late.end()
    expect(page.locator(".cases .outline__link")).to_have_count(1)
    expect(words).to_have_value("case-2")
    expect(words).to_be_focused()


@pytest.fixture
def world(transactional_db, team, administrator):
    """Two packs; the session is the administrator's."""
    publish(draft_of(team), administrator)
    draft_of(team, pack_text(), slug="broken")
    return client_of(administrator)


def test_enter_in_the_palette_opens_what_was_typed_and_not_what_stood_there(open_as, world):
    page = open_as(world, "/")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option", selected=True)).to_be_visible()
    late = Late(page, "**/search/?**")
    page.keyboard.type("import")
    page.keyboard.press("Enter")
    late.wait()
    late.end()
    page.wait_for_url("**/packs/import/")


def test_the_palette_opens_after_going_back_to_a_list(open_as, world, errors):
    page = open_as(world, "/packs/")
    page.locator("[data-search]").fill("broken")
    page.wait_for_url("**q=broken**")
    page.go_back()
    expect(page.locator("[data-row]")).to_have_count(Pack.objects.count())
    expect(page.locator("[data-search]")).to_have_value("")
    # Going back loads the page anew, and keys are heard once its scripts are there.
    page.wait_for_load_state()
    page.keyboard.press("Control+k")
    expect(page.locator("#palette")).to_be_visible()
    assert errors == []


def test_an_older_poll_does_not_take_back_a_search(open_as, world, administrator, agents):
    version = publish(draft_of(administrator.memberships.get().team, slug="polled"), administrator)
    runs = [launch(administrator, version, [agents[name]]) for name in ("echo", "empty")]
    Run.objects.filter(pk=runs[0].pk).update(name="Night watch")
    page = open_as(world, "/runs/")
    expect(page.locator("#run-list tbody tr")).to_have_count(2)
    late = Late(page, re.compile(r"/runs/$"))
    late.wait()
    page.locator("[data-search]").fill("night watch")
    expect(page.locator("#run-list tbody tr")).to_have_count(1)
    late.end()
    pause(page)
    expect(page.locator("#run-list tbody tr")).to_have_count(1)


def test_a_double_click_starts_one_run(open_as, world, administrator, agents):
    version = publish(draft_of(administrator.memberships.get().team, slug="twice"), administrator)
    page = open_as(world, f"/runs/new/?version={version.pk}&agent={agents['echo'].pk}")
    page.get_by_role("button", name="Start run").dblclick()
    page.wait_for_url(re.compile(r"/runs/\d+/$"))
    assert Run.objects.count() == 1


@pytest.fixture
def grid(open_as, as_author, transactional_db, team):
    """The page of a grid of six cases, and its draft."""
    rows = grid_draft(team)
    return open_as(as_author, f"/packs/default/rows/edit/sets/{rows.input_sets.get().pk}/rows/"), rows


def question(page, rows, key):
    return cell(page, rows, key, "/input/question")


def test_words_typed_before_a_cell_is_open_go_into_it_and_command_nothing(grid, errors):
    page, rows = grid
    question(page, rows, "row-1").click()
    late = Late(page, re.compile(r"/cell/\?at="))
    page.keyboard.press("Enter")
    page.keyboard.type("of the hub")
    late.wait()
    late.end()
    expect(page.locator("[data-cell-control]")).to_have_value("of the hub")
    page.keyboard.press("Enter")
    expect(question(page, rows, "row-1")).to_have_text("of the hub")
    assert value(rows, "row-1", "input", "question") == "of the hub"
    assert errors == []


def test_undo_takes_back_the_cell_that_is_still_being_saved(grid, errors):
    page, rows = grid
    question(page, rows, "row-2").dblclick()
    page.locator("[data-cell-control]").fill("Taken back")
    late = Late(page, "**/cell/save/")
    page.locator("h1").click()
    late.wait()
    page.locator("#undo").dispatch_event("click")
    page.wait_for_timeout(300)
    late.end()
    expect(page.locator("#redo")).not_to_have_attribute("aria-disabled", "true")
    expect(question(page, rows, "row-2")).to_have_text("How many parcels are in van 2?")
    assert value(rows, "row-2", "input", "question") == "How many parcels are in van 2?"
    revision = int(page.locator("#rows").get_attribute("data-revision"))
    late = Late(page, "**/redo/")
    page.keyboard.press("Control+y")
    late.wait()
    page.keyboard.press("Control+z")
    late.end()
    expect(page.locator("#rows")).to_have_attribute("data-revision", str(revision + 2))
    assert value(rows, "row-2", "input", "question") == "How many parcels are in van 2?"
    assert errors == []


def test_cases_ticked_while_a_search_is_under_way_stay_ticked(grid):
    page, rows = grid
    late = Late(page, "**/rows/?**")
    page.locator("#rows-words").fill("van")
    late.wait()
    page.locator("#rows-all").check()
    late.end()
    expect(page).to_have_url(re.compile("q=van"))
    expect(page.locator("#rows-count")).to_have_text("6 ticked")


def test_keys_go_on_when_the_choice_in_use_is_not_offered_any_more(open_as, as_author, transactional_db, errors):
    page = open_as(as_author, "/packs/new/")
    late = Late(page, "**/packs/new/?**")
    page.locator("[value='blank:agentv']").check()
    late.wait()
    page.locator("#how [value=numeric_match]").check()
    late.end()
    expect(page.locator("#how [value=numeric_match]")).to_have_count(0)
    expect(page.locator("#how [value=contains]")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#how [value=exact_match]")).to_be_checked()
    assert errors == []


def test_a_key_that_follows_the_end_of_the_palette_at_once_is_heard(open_as, world):
    page = open_as(world, "/packs/")
    page.keyboard.press("Control+k")
    expect(page.locator("#palette input")).to_be_focused()
    page.evaluate("""() => {
      document.getElementById("palette").close();
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true, cancelable: true }));
    }""")
    expect(page.locator("#keys")).to_be_visible()


def test_a_press_on_a_link_that_an_answer_moves_is_a_click(open_as, as_author, team, errors):
    wrong = pack_text(3).replace(b": contains", b": contians").replace(b"difficulty: easy", b"difficulty: odd")
    draft_of(team, wrong, slug="wrong")
    page = open_as(as_author, "/packs/default/wrong/")
    late = Late(page, "**/problems/fixes/**")
    page.goto(f"{page.url}edit/problems/")
    page.locator('a[href*="at=/difficulty"]').hover()
    page.mouse.down()
    late.wait()
    late.end()
    expect(page.get_by_role("button", name="Change type to")).to_be_visible()
    page.mouse.up()
    expect(control(page, "/difficulty")).to_be_focused()
    assert errors == []
