"""The workbench as people use it, with its script."""

import re

import pytest
from playwright.sync_api import expect

from packs.access import Role
from tests.browser.axe import troubles
from tests.packs.drafts import draft_of, pack_text
from tests.people import client_of, make_member
from tests.services import wait_until

pytestmark = pytest.mark.browser
EDIT = "/packs/default/parcels/edit/"


def saved(page):
    expect(page.locator("#savestate")).to_contain_text(re.compile(r"Saved[\s\S]*rev"))


def field(page, pointer):
    return page.locator(f'[data-at="{pointer}"]').first


def control(page, pointer):
    return page.locator(f'#editor [name$=":{pointer}"]:not([type=hidden]):not(.input--kind):not(.input--key)').first


def test_a_typed_value_is_saved_checked_and_shown_in_the_yaml(open_as, as_author, case, errors):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    expect(page.locator(".cm-content")).to_contain_text("Where is parcel case-0?")
    control(page, "/inputs/0/value").fill("Where did it go?")
    expect(page.locator(".cm-content")).to_contain_text("Where did it go?")
    saved(page)
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "Where did it go?"
    control(page, "/inputs/0/key").fill("")
    expect(field(page, "/inputs/0/key").locator(".fld__finding--error")).to_be_visible()
    expect(control(page, "/inputs/0/key")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#problem-count")).to_contain_text("error")
    control(page, "/inputs/0/key").fill("prompt")
    expect(field(page, "/inputs/0/key").locator(".fld__finding")).to_have_count(0)
    expect(page.locator("#problem-count")).to_contain_text("Valid")
    assert errors == []


def test_control_enter_saves_and_goes_to_the_next_case_and_then_to_a_new_one(open_as, as_author, draft, errors):
    cases = list(draft.cases.order_by("position"))
    page = open_as(as_author, f"{EDIT}cases/{cases[-2].pk}/")
    for case in cases[-2:]:
        page.wait_for_url(f"**/cases/{case.pk}/**")
        control(page, "/inputs/0/value").fill(f"Where is {case.pk}?")
        page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: not url.split("?")[0].endswith(tuple(f"/cases/{case.pk}/" for case in cases)))
    assert draft.cases.count() == len(cases) + 1
    for case in cases[-2:]:
        case.refresh_from_db()
        assert case.document["inputs"][0]["value"] == f"Where is {case.pk}?"
    assert errors == []


def test_the_head_of_an_item_follows_what_is_typed_in_it(open_as, as_author, case, errors):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    head = field(page, "/inputs/0").locator("summary").first
    control(page, "/inputs/0/key").fill("")
    expect(head.locator(".dot--red")).to_be_visible()
    control(page, "/inputs/0/key").fill("prompt")
    expect(head.locator(".dot")).to_have_count(0)
    expect(head).to_contain_text("prompt")
    head.click()
    expect(control(page, "/inputs/0/key")).to_be_hidden()
    assert errors == []


def test_the_problems_open_by_a_click_that_leaves_a_changed_field(open_as, as_author, case, errors):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    control(page, "/inputs/0/key").fill("")
    expect(page.locator("#problem-count")).to_contain_text("error")
    control(page, "/inputs/0/kind").fill("markdown")
    page.locator("#problem-count").hover()
    page.mouse.down()
    saved(page)
    page.mouse.up()
    page.wait_for_url("**/edit/problems/")
    assert errors == []


def test_the_keyboard_goes_on_from_what_it_opened(open_as, as_author, many, errors):
    page = open_as(as_author, f"{EDIT}cases/{many.cases.first().pk}/")
    preview = page.get_by_role("navigation", name="Lenses").get_by_role("link", name="Preview")
    preview.press("Enter")
    expect(preview).to_have_attribute("aria-current", "page")
    expect(preview).to_be_focused()
    page.goto(f"{page.url.partition('/cases/')[0]}/pack/")
    page.locator(".outline__more").press("Enter")
    expect(page.locator(".cases")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("searchbox", name="Filter cases")).to_be_focused()
    page.goto(f"{page.url.partition('/pack/')[0]}/problems/")
    warnings = page.get_by_role("navigation", name="Severity").get_by_role("link", name="Warnings")
    warnings.press("Enter")
    expect(warnings).to_have_attribute("aria-current", "true")
    expect(warnings).to_be_focused()
    assert errors == []


def test_the_panes_scroll_and_the_page_does_not(open_as, as_author, draft, case, errors):
    draft.input_sets.get().cases.update(error_count=1)
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    page.set_viewport_size({"width": 1440, "height": 500})
    assert page.evaluate("document.documentElement.scrollHeight") == 500
    current = page.locator(".bench__outline [aria-current]")
    page.reload()
    expect(current).to_be_in_viewport()
    assert errors == []


def test_what_only_the_whole_pack_tells_comes_after_the_typing(open_as, as_author, draft, errors):
    page = open_as(as_author, f"{EDIT}pack/?section=version.evaluation_spec.validators")
    pointer = "/version/evaluation_spec/validators/0/expected_from"
    control(page, pointer).fill("case.expectations.nowhere")
    expect(field(page, pointer).locator(".fld__finding--warning")).to_be_visible()
    expect(page.locator("#problem-count")).to_contain_text("warning")
    control(page, pointer).fill("case.expectations.answer")
    expect(field(page, pointer).locator(".fld__finding")).to_have_count(0)
    expect(page.locator("#problem-count")).to_contain_text("Valid")
    assert errors == []


def test_an_edit_of_the_yaml_shows_in_the_form(open_as, as_author, case, errors):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("case_timeout_seconds: 90\n")
    expect(control(page, "/case_timeout_seconds")).to_have_value("90")
    saved(page)
    case.refresh_from_db()
    assert case.document["case_timeout_seconds"] == 90
    page.keyboard.type("inputs: [")
    expect(page.locator(".cm-lint-marker-error").first).to_be_visible()
    case.refresh_from_db()
    assert case.document["inputs"][0]["key"] == "prompt"
    assert [text for text in errors if "422" not in text] == []


@pytest.mark.intercepts
def test_items_are_added_moved_and_removed_in_place(open_as, as_author, case, errors):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    field(page, "/inputs").get_by_role("button", name="Add input").click()
    expect(control(page, "/inputs/1/key")).to_be_focused()
    page.keyboard.type("second")
    page.keyboard.press("Tab")
    page.keyboard.type("text")
    saved(page)
    held = []
    page.route(f"**/cases/{case.pk}/field/", lambda route: held.append(route))
    field(page, "/inputs/1").get_by_role("button", name="Move up").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#savestate")).to_contain_text("Saving")
    # Somebody may go on reading while an item is on its way.
    assert troubles(page) == {}
    for route in held:
        route.continue_()
    page.unroute_all()
    expect(control(page, "/inputs/0/key")).to_have_value("second")
    # It goes on from the same item, so that keys move it further, or back.
    expect(field(page, "/inputs/0").get_by_role("button", name="Move down")).to_be_focused()
    assert troubles(page) == {}
    field(page, "/inputs/1").get_by_role("button", name="Remove").click()
    expect(field(page, "/inputs/1")).to_have_count(0)
    saved(page)
    case.refresh_from_db()
    assert [item["key"] for item in case.document["inputs"]] == ["second"]
    assert errors == []


def test_undo_by_key_takes_back_the_last_change_and_redo_makes_it_again(open_as, as_author, case):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    control(page, "/expectations/0/value").fill("Leeds")
    page.keyboard.press("Tab")
    saved(page)
    page.locator("h1").click()
    page.keyboard.press("Control+z")
    expect(control(page, "/expectations/0/value")).to_have_value("Hub case-0")
    page.keyboard.press("Control+Shift+z")
    expect(control(page, "/expectations/0/value")).to_have_value("Leeds")


def test_a_value_changes_its_type_and_asks_before_it_loses_anything(open_as, as_author, case):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    kind = field(page, "/inputs/0/value").get_by_label("Type of Value")
    kind.select_option("number")
    page.get_by_role("button", name="Change anyway").click()
    expect(control(page, "/inputs/0/value")).to_have_value("0")
    saved(page)
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == 0


@pytest.mark.intercepts
def test_a_conflict_shows_both_values_and_the_choice_is_saved(open_as, as_author, as_administrator, case):
    first = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    # Or it would show what the other wrote before something is typed into it.
    first.route(re.compile("/presence/"), lambda route: route.fulfill(status=204))
    second = open_as(as_administrator, f"{EDIT}cases/{case.pk}/")
    control(second, "/inputs/0/value").fill("theirs")
    saved(second)
    control(first, "/inputs/0/value").fill("mine")
    expect(first.locator(".dispute")).to_contain_text("theirs")
    first.get_by_role("button", name="Use mine").click()
    saved(first)
    expect(control(first, "/inputs/0/value")).to_have_value("mine")
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "mine"


def test_three_mistakes_are_found_and_mended_by_following_the_problems(open_as, as_author, team):
    text = (
        pack_text(3)
        .decode()
        .replace("difficulty: easy", "difficulty: simple")
        .replace("type: contains", "type: contians")
    )
    draft = draft_of(
        team,
        text.replace("      - challenge_key: locate\n", "      - challenge_key: lcoate\n", 1).encode(),
        slug="wrong",
    )
    page = open_as(as_author, "/packs/default/wrong/edit/problems/")
    mended = {
        "/difficulty": "easy",
        "/version/evaluation_spec/validators/0/type": "contains",
        "/challenge_key": "locate",
    }
    for pointer, value in mended.items():
        link = page.locator(f'a[href$="at={pointer}"], a[href*="at={pointer}&"]').first
        link.click()
        wanted = control(page, pointer)
        expect(wanted).to_be_focused()
        expect(wanted).to_be_in_viewport()
        wanted.select_option(value)
        expect(field(page, pointer).locator(".fld__finding--error")).to_have_count(0)
        saved(page)
        page.goto(page.url.partition("/edit/")[0] + "/edit/problems/")
    expect(page.locator("main")).to_contain_text("can be published")
    draft.refresh_from_db()
    assert draft.problem_errors == 0


def test_a_problem_in_a_folded_part_is_opened_and_focused(open_as, as_author, draft, case):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/?at=/case_timeout_seconds")
    expect(control(page, "/case_timeout_seconds")).to_be_focused()
    expect(control(page, "/case_timeout_seconds")).to_be_in_viewport()


def test_a_valid_structured_case_is_made_with_the_keyboard_alone(open_as, as_author, draft, case):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    strokes = []

    def press(key):
        strokes.append(key)
        page.keyboard.press(key)

    page.locator("h1").click()
    press("n")
    page.wait_for_url(lambda url: f"/cases/{case.pk}/" not in url and "/cases/" in url)
    expect(control(page, "/inputs/0/value")).to_be_focused()
    page.keyboard.type("Where is PX-9?")
    press("Escape")
    press("a")
    press("i")
    expect(control(page, "/inputs/1/key")).to_be_focused()
    page.keyboard.type("place")
    press("Tab")
    page.keyboard.type("text")
    press("Escape")
    press("a")
    press("e")
    expect(control(page, "/expectations/1/key")).to_be_focused()
    page.keyboard.type("reason")
    press("Tab")
    page.keyboard.type("text")
    press("Tab")
    # Each field is saved on its own; the mark of an earlier one may still stand there.
    whole = {"key": "reason", "kind": "text"}
    made = draft.cases.order_by("-pk").first()
    wait_until(lambda: made.refresh_from_db() or made.document["expectations"][1:] == [whole], "the last field")
    assert made.document["inputs"][0]["value"] == "Where is PX-9?"
    assert made.document["inputs"][1] == {"key": "place", "kind": "text"}
    assert made.error_count == 0
    assert len(strokes) <= 12


def test_everything_works_without_the_script(new_context, live_server, as_author, case):
    context = new_context(java_script_enabled=False)
    context.add_cookies([{"name": "sessionid", "value": as_author.cookies["sessionid"].value, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{live_server.url}{EDIT}cases/{case.pk}/")
    control(page, "/inputs/0/value").fill("Line one\nLine two")
    page.get_by_role("button", name="Save", exact=True).last.click()
    field(page, "/inputs").get_by_role("button", name="Add input").click()
    expect(control(page, "/inputs/1/key")).to_have_value("")
    expect(page.locator("#yaml")).to_have_value(re.compile("Line two"))
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "Line one\nLine two"
    assert len(case.document["inputs"]) == 2


@pytest.mark.parametrize("path", ["cases", "pack", "problems/", "history/", "yaml/"])
def test_pages_have_no_serious_accessibility_trouble(open_as, as_author, case, path):
    address = (
        f"cases/{case.pk}/?at=/inputs/0/key" if path == "cases" else "pack/?section=version" if path == "pack" else path
    )
    page = open_as(as_author, f"{EDIT}{address}")
    page.wait_for_load_state("networkidle")
    assert troubles(page) == {}


def test_nothing_is_cut_off_on_a_narrow_screen(open_as, as_author, case):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    control(page, "/inputs/0/value").fill("From a phone")
    saved(page)


def test_what_was_typed_last_is_saved_when_the_page_goes_away(open_as, as_author, case):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    page.wait_for_selector(".cm-content")
    control(page, "/inputs/0/value").fill("last words")
    page.goto("about:blank")
    stored = lambda: case.refresh_from_db() or case.document["inputs"][0]["value"]  # noqa: E731
    wait_until(lambda: stored() == "last words", "what was typed last")


def test_a_changed_type_of_validator_changes_its_options(open_as, as_author, draft, errors):
    at = "/version/evaluation_spec/validators/0"
    page = open_as(as_author, f"{EDIT}pack/?at={at}/type")
    expect(control(page, f"{at}/type")).to_be_focused()
    expect(page.locator(f'[data-at="{at}/config"]')).to_have_count(0)
    control(page, f"{at}/type").select_option("fuzzy_match")
    expect(page.locator(f'[data-at="{at}/config"].fld--offer')).to_have_count(1)
    page.locator(f'[data-at="{at}"]').get_by_text("More fields").click()
    page.locator(f'[data-at="{at}"]').get_by_role("button", name="Add configuration").click()
    expect(control(page, f"{at}/config/threshold")).to_be_visible()
    control(page, f"{at}/config/threshold").fill("0.9")
    page.keyboard.press("Tab")
    saved(page)
    draft.refresh_from_db()
    validator = draft.document["version"]["evaluation_spec"]["validators"][0]
    assert (validator["type"], validator["config"]) == ("fuzzy_match", {"threshold": 0.9})
    assert errors == []


def test_a_viewer_sees_everything_and_can_change_nothing(open_as, team, draft, case):
    viewer = client_of(make_member(team, Role.VIEWER))
    page = open_as(viewer, f"{EDIT}cases/{case.pk}/")
    expect(control(page, "/inputs/0/value")).to_have_value("Where is parcel case-0?")
    expect(control(page, "/inputs/0/value")).to_be_disabled()
    expect(page.get_by_role("button", name="New case")).to_have_count(0)
    expect(page.locator("#savestate")).to_contain_text("Read only")


def test_a_case_is_written_duplicated_and_edited_with_few_keys(open_as, as_author, draft, case, errors):
    page = open_as(as_author, f"{EDIT}cases/{case.pk}/")
    pressed = []

    def press(*keys):
        for key in keys:
            page.keyboard.press(key)
        pressed.extend(keys)

    def focused(pointer):
        expect(control(page, pointer)).to_be_focused()

    press("n")
    focused("/inputs/0/value")
    page.keyboard.type("Where is PX-9?")
    while not control(page, "/expectations/0/value").evaluate("control => control === document.activeElement"):
        press("Tab")
    page.keyboard.type("Leeds")
    press("Control+s")
    saved(page)
    expect(page.locator("#problem-count")).to_contain_text("Valid")
    assert len(pressed) <= 12
    new = draft.cases.order_by("-position").first()
    assert [new.document[part][0]["value"] for part in ("inputs", "expectations")] == ["Where is PX-9?", "Leeds"]
    pressed.clear()
    press("Escape", "d")
    page.wait_for_url(lambda url: f"/cases/{new.pk}/" not in url)
    focused("/inputs/0/value")
    press("Escape", "[")
    page.wait_for_url(f"**/cases/{new.pk}/**")
    assert len(pressed) <= 4
    press("Enter")
    focused("/inputs/0/value")
    assert draft.cases.count() == 5
    assert errors == []
