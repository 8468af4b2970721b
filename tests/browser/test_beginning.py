"""A pack from nothing by the keyboard alone: three answers, a tried answer, a published version, and a run of it."""

import pytest
from playwright.sync_api import expect

from packs.formats.beginning import First
from packs.importing import create_pack
from packs.models import Pack, PackVersion
from runs.models import Agent, Run
from tests.runs.working import work_off

pytestmark = pytest.mark.browser
# Format to the check that is chosen, and an answer as an author writes it.
CHOICES = {
    "challenge_pack": ("numeric_match", "42 ± 0.5", "42.25"),
    "task_suite": ("regex_match", "Le+ds", "In Leeds"),
    "agentv": ("json_path_match", 'hub = "Leeds"', '{"hub": "Leeds"}'),
    "benchmark_pack": ("contains", "Leeds", "In Leeds"),
}
# How many controls the pages had on the way to a first case with a check, when a new pack began with its settings: new
# pack, its document, the input set, the case with a check, and the page of validators.
BEFORE = {
    "challenge_pack": 14 + 13 + 18 + 42 + 31,
    "task_suite": 14 + 15 + 16 + 53,
    "agentv": 14 + 14 + 33 + 94,
    "benchmark_pack": 14 + 16 + 15 + 29,
}
CONTROLS = """() => [...document.querySelectorAll(`:is(input:not([type=hidden]), select, textarea, button, summary,
  [contenteditable=true])`)].filter((each) => each.checkVisibility({ visibilityProperty: true })).length"""


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
    assert page.evaluate(CONTROLS) <= BEFORE[name] / 3
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
    page.keyboard.press("Control+Enter")


def take_next_step(page, label):
    """Follow the step of the thread that is marked as the next one."""
    expect(page.locator("#thread [aria-current=step]")).to_contain_text(label)
    press_until(page, "Shift+Tab" if page.locator("[name=output]").count() else "Tab", "#thread [aria-current=step]")
    page.keyboard.press("Enter")


@pytest.mark.parametrize("name", list(CHOICES))
def test_a_pack_is_begun_tried_published_and_run_by_keys_alone(open_as, publisher, team, name, errors):
    answers = {"default": CHOICES[name][2]}
    agent = Agent.objects.create(team=team, name="desk", kind="scripted", config=answers)
    page = open_as(publisher, "/packs/new/")
    begin(page, name)
    page.wait_for_url("**/edit/cases/**")
    expect(page.locator(".cm-editor")).to_be_visible()
    assert page.evaluate(CONTROLS) <= BEFORE[name] / 3
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
    page.keyboard.press("r")
    page.wait_for_url("**/runs/new/**")
    press_until(page, "Tab", f"[name=agent][value='{agent.pk}']")
    page.keyboard.press("Space")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/runs/*/")
    assert set(work_off(Run.objects.get()).counts) == {"passed"}
    expect(page.locator("main")).to_contain_text("Completed")
    assert errors == []


# Format to where keys lead in a new case: fields, which get words, and values of buttons, which are pressed.
NEW_CASE = {
    "challenge_pack": ("/inputs/0/value", "/expectations/0/value"),
    "task_suite": (
        "/description",
        "/inputs/user_message",
        "add:/graders",
        "add:/graders/0/patterns",
        "/graders/0/patterns/0",
    ),
    "agentv": ("/criteria", "/input"),
    "benchmark_pack": ("/input/question", "add:/eval/accepted_answers", "/eval/accepted_answers/0"),
}
IS_AT = """place => { const at = document.activeElement; return place.startsWith("add:")
  ? at.tagName === "BUTTON" && "add:" + at.value.replace(/^add:/, "") === place
  : at.matches("input, textarea") && at.name.endsWith(":" + place) }"""


def press_through(page, places):
    """Go to each place by Tab and write or press there; the keys that it took."""
    keys = 0
    for place in places:
        pointer = place.removeprefix("add:")
        expect(page.locator(f"[name$=':{pointer}'], button[value$='{pointer}']").first).to_be_attached()
        while not page.evaluate(IS_AT, place):
            page.keyboard.press("Tab")
            keys += 1
            assert keys <= 12, place
        if place == pointer:
            page.keyboard.type("Leeds")
            continue
        page.keyboard.press("Enter")
        keys += 1
        if pointer == "/graders":
            # The gallery finds a check by what it is called.
            expect(page.locator("dialog[open] [role=combobox]")).to_be_focused()
            page.keyboard.type("texts in the answer")
            expect(page.locator("dialog[open] [name=kind]:visible")).to_have_count(1)
            page.keyboard.press("Enter")
            keys += 1
    return keys


@pytest.mark.parametrize("name", list(NEW_CASE))
def test_another_valid_case_takes_at_most_twelve_keys_beside_its_text(open_as, publisher, administrator, team, name):
    first = First("Where is PX-1?", "Leeds")
    pack = create_pack(team, administrator, name, "Parcel desk", first=first)
    page = open_as(publisher, f"/packs/{team.slug}/{pack.slug}/edit/cases/{pack.cases.get().pk}/")
    page.keyboard.press("n")
    page.wait_for_url("**/edit/cases/*/?begin=1")
    assert press_through(page, NEW_CASE[name]) + 1 <= 12
    # The page of a case with its check is all that is left of those pages.
    assert page.evaluate(CONTROLS) <= BEFORE[name] / 3
    page.keyboard.press("Tab")
    expect(page.locator("#problem-count")).not_to_contain_text("error")
    expect(page.locator("#savestate")).to_contain_text("Saved")
    new = pack.cases.latest("pk")
    assert (new.error_count, "Leeds" in str(new.document)) == (0, True)
