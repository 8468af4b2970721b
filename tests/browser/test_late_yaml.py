"""YAML that is typed while its text is saved, refused or edited by others is stored as it reads at last."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.late import Late
from tests.browser.test_late_answers import at_case, is_stored, pause, stored  # noqa: F401 - at_case is a fixture
from tests.browser.test_workbench import EDIT, field
from tests.packs.views.workbench.conftest import someone_else  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.intercepts]


@pytest.fixture
def unheard(at_case):
    """A page that does not hear of what others edit before it saves."""
    at_case.route("**/presence/**", lambda route: route.abort())
    at_case.locator(".cm-content").click()
    at_case.keyboard.press("Control+End")
    return at_case


def test_yaml_that_is_mended_before_its_refusal_comes_is_saved(unheard, case):
    page = unheard
    late = Late(page, "**/yaml/")
    page.keyboard.type("case_timeout_seconds: [")
    late.wait()
    page.keyboard.press("Backspace")
    page.keyboard.type("9")
    late.end()
    expect(page.locator("#yaml-state")).to_have_text("Saved")
    assert stored(case, "case_timeout_seconds") == 9


def test_yaml_that_is_typed_back_while_it_is_saved_is_stored_as_it_reads(unheard, case):
    page = unheard
    late = Late(page, "**/yaml/")
    # In one go: what is saved of half a name is refused, and typed back there would be nothing to save.
    page.keyboard.insert_text("case_timeout_seconds: 9")
    late.wait()
    for _ in "case_timeout_seconds: 9":
        page.keyboard.press("Backspace")
    late.end()
    expect(page.locator("#yaml-state")).to_have_text("Saved")
    expect(page.locator(".cm-content")).not_to_contain_text("case_timeout_seconds")
    assert "case_timeout_seconds" not in stored(case)


def test_a_comment_in_yaml_takes_back_nothing_that_others_did_meanwhile(unheard, case, someone_else):
    page = unheard
    someone_else(case, "/inputs/0/value", "Theirs")
    page.keyboard.type("# a comment")
    expect(page.locator(".cm-content")).to_contain_text("Theirs")
    page.keyboard.press("Control+End")
    page.keyboard.type("case_timeout_seconds: 90")
    expect(page.locator("#yaml-state")).to_have_text("Saved")
    assert stored(case, "case_timeout_seconds") == 90
    assert stored(case, "inputs", 0, "value") == "Theirs"


def test_yaml_that_is_typed_on_beside_others_is_stored_as_it_reads_at_last(unheard, case, someone_else):
    page = unheard
    someone_else(case, "/inputs/0/value", "Theirs")
    late = Late(page, "**/yaml/")
    page.keyboard.insert_text("case_timeout_seconds: 9")
    late.wait()
    page.keyboard.type("0")
    late.release()
    late.wait()
    for _ in "90":
        page.keyboard.press("Backspace")
    page.keyboard.type("50")
    late.end()
    expect(page.locator("#yaml-state")).to_have_text("Saved")
    is_stored(page, case, ("case_timeout_seconds",), 50)
    expect(page.locator(".cm-content")).to_contain_text("Theirs")
    expect(page.locator(".dispute")).to_have_count(0)
    assert stored(case, "inputs", 0, "value") == "Theirs"


def test_yaml_that_is_typed_on_while_it_is_saved_disputes_nothing(at_case, case, errors):
    page = at_case
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    late = Late(page, "**/yaml/")
    page.keyboard.insert_text("case_timeout_seconds: 9")
    late.wait()
    page.keyboard.type("0")
    pause(page)
    late.end()
    is_stored(page, case, ("case_timeout_seconds",), 90)
    expect(page.locator("#yaml-state")).to_have_text("Saved")
    expect(page.locator(".dispute")).to_have_count(0)
    assert errors == []


def test_yaml_is_saved_when_another_lens_or_page_is_opened_at_once(at_case, case):
    page = at_case
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("case_timeout_seconds: 30")
    page.locator("#lens").get_by_role("link", name="Stored document").click()
    expect(page.locator("#lens[data-lens=stored]")).to_contain_text("case_timeout_seconds")
    assert stored(case, "case_timeout_seconds") == 30
    page.locator("#lens").get_by_role("link", name="YAML").click()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.press("Backspace")
    page.keyboard.type("5")
    page.locator(".crumbs a").first.click()
    is_stored(page, case, ("case_timeout_seconds",), 305)


def test_what_only_the_whole_pack_tells_is_asked_for_after_a_saved_text(open_as, as_author, draft):
    page = open_as(as_author, f"{EDIT}pack/?section=version.evaluation_spec.validators")
    path = "/version/evaluation_spec/validators/0/expected_from"
    expect(field(page, path).locator(".fld__finding")).to_have_count(0)
    area = page.locator("#yaml")
    text = area.input_value()
    origin = re.search(r"expected_from: (.*)", text)[1]
    area.evaluate(
        "(area, text) => { area.value = text; area.dispatchEvent(new Event('input', { bubbles: true })); }",
        text.replace(f"expected_from: {origin}", "expected_from: case.expectations.nowhere", 1),
    )
    expect(field(page, path).locator(".fld__finding")).to_be_visible()
