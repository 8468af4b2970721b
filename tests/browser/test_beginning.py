"""A pack from nothing by the keyboard alone: three answers, a tried answer, a published version."""

import pytest
from playwright.sync_api import expect

from packs.models import Pack, PackVersion

pytestmark = pytest.mark.browser
# Format to the check that is chosen, and an answer as an author writes it.
CHOICES = {
    "challenge_pack": ("numeric_match", "42 ± 0.5", "42.25"),
    "task_suite": ("regex_match", "Le+ds", "In Leeds"),
    "agentv": ("json_path_match", 'hub = "Leeds"', '{"hub": "Leeds"}'),
    "benchmark_pack": ("contains", "Leeds", "In Leeds"),
}


@pytest.fixture
def publisher(transactional_db, as_administrator):
    return as_administrator


def press_until(page, key, selector):
    """Press a key until what a selector names has the focus."""
    for _ in range(120):
        page.keyboard.press(key)
        if page.evaluate("selector => Boolean(document.activeElement?.matches(selector))", selector):
            return
    raise AssertionError(f"{selector} was not reached by {key}")


def begin(page, name):
    """Fill the page of a new pack and send it, by keys."""
    check, answer, _ = CHOICES[name]
    expect(page.locator("#id_title")).to_be_focused()
    page.keyboard.type("Parcel desk")
    press_until(page, "Tab", "[name=start]")
    if not page.locator(f"[value='blank:{name}']").is_checked():
        press_until(page, "ArrowDown", f"[value='blank:{name}']")
    press_until(page, "Tab", "#id_question")
    page.keyboard.type("Where is PX-1?")
    press_until(page, "Tab", "#id_answer")
    page.keyboard.type(answer)
    expect(page.locator(f"#how [value={check}]")).to_be_visible()
    expect(page.locator("#how.htmx-swapping, #how.htmx-settling")).to_have_count(0)
    press_until(page, "Tab", "[name=check]")
    if not page.locator(f"#how [value={check}]").is_checked():
        press_until(page, "ArrowDown", f"[value={check}]")
    page.keyboard.press("Enter")


def take_next_step(page, label):
    """Follow the step of the thread that is marked as the next one."""
    expect(page.locator("#thread [aria-current=step]")).to_contain_text(label)
    press_until(page, "Shift+Tab" if page.locator("[name=output]").count() else "Tab", "#thread [aria-current=step]")
    page.keyboard.press("Enter")


@pytest.mark.parametrize("name", list(CHOICES))
def test_a_pack_is_begun_tried_and_published_by_keys_alone(open_as, publisher, name, errors):
    page = open_as(publisher, "/packs/new/")
    begin(page, name)
    page.wait_for_url("**/edit/cases/**")
    take_next_step(page, "Try")
    page.wait_for_url("**lens=try*")
    expect(page.locator("[name=output]")).to_be_visible()
    press_until(page, "Tab", "[name=output]")
    page.keyboard.type(CHOICES[name][2])
    press_until(page, "Tab", "form:has([name=output]) [type=submit]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-state='passed']").first).to_be_visible()
    take_next_step(page, "Publish")
    page.wait_for_url("**/publish/")
    press_until(page, "Tab", "form.panel [type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/versions/1/")
    assert PackVersion.objects.get().pack == Pack.objects.get()
    assert errors == []
