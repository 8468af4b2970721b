"""Forms that were filled in and left are offered again, until they are sent, discarded, or their author signs out."""

import re

import pytest
from django.conf import settings
from playwright.sync_api import expect

from packs.models import Pack
from tests.browser.axe import troubles
from tests.browser.test_conversation import OURS, desk, start  # noqa: F401
from tests.browser.test_late_answers import pause
from tests.browser.test_unsaved_words import offer_of, offers, rows, settle, sign_in  # noqa: F401
from tests.people import client_of
from tests.runs.conftest import local_endpoints  # noqa: F401
from tests.runs.reviews import begin_reviewed, reviewed_task
from tests.runs.studio_packs import publish_text

pytestmark = pytest.mark.browser


@pytest.fixture
def new_pack(transactional_db, open_as, as_author):
    return open_as(as_author, "/packs/new/")


def test_a_form_that_was_left_is_offered_again_until_it_is_sent(new_pack, errors):
    page = new_pack
    page.locator("#id_title").fill("Night ferries")
    page.reload()
    offer_of(page, "Night ferries").get_by_role("button", name="Restore").click()
    expect(page.locator("#id_title")).to_have_value("Night ferries")
    page.locator("#id_question").fill("When does it sail?")
    page.locator("#id_answer").fill("At ten")
    page.get_by_role("button", name="Create").click()
    page.wait_for_url("**/night-ferries/**")
    assert Pack.objects.get().title == "Night ferries"
    page.goto(page.url.replace("/default/night-ferries/", "/new/").split("/new/")[0] + "/new/")
    settle(page)
    expect(offers(page)).to_have_count(0)


def test_a_form_that_was_refused_is_offered_again_when_it_is_left(new_pack, rows):
    page, address = new_pack, new_pack.url
    page.locator("#id_title").fill("Rows again")
    page.get_by_text("Where it goes").click()
    page.get_by_label(re.compile("Address|Slug")).fill("rows")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    settle(page)
    expect(offers(page)).to_have_count(0)
    page.goto(address)
    expect(offer_of(page, "Rows again")).to_contain_text("rows")


def test_what_was_left_elsewhere_is_found_from_every_page(new_pack, live_server):
    page = new_pack
    page.locator("#id_title").fill("Night ferries")
    page.goto(f"{live_server.url}/runs/")
    settle(page)
    expect(offers(page)).to_have_count(0)
    page.locator("#unsaved-menu summary").click()
    page.locator("#unsaved-menu").get_by_role("link", name="New pack").click()
    page.wait_for_url("**/packs/new/")
    offer_of(page, "Night ferries")


def test_words_of_a_page_that_is_open_are_not_offered_in_another(new_pack, context):
    new_pack.locator("#id_title").fill("Night ferries")
    pause(new_pack)
    beside = context.new_page()
    beside.goto(new_pack.url)
    settle(beside)
    expect(offers(beside)).to_have_count(0)
    expect(beside.locator("#unsaved-menu")).to_be_hidden()
    new_pack.close()
    beside.reload()
    offer_of(beside, "Night ferries")


def test_words_typed_in_a_page_are_not_offered_in_one_that_was_open_before(new_pack, context):
    beside = context.new_page()
    beside.goto(new_pack.url)
    new_pack.locator("#id_title").fill("Night ferries")
    pause(new_pack)
    settle(beside)
    expect(offers(beside)).to_have_count(0)
    expect(beside.locator("#unsaved-menu")).to_be_hidden()


def test_signing_out_asks_first_and_then_keeps_nothing(new_pack, author):
    page, address = new_pack, new_pack.url
    page.locator("#id_title").fill("Night ferries")
    page.get_by_label(re.compile("^Account of")).click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("#confirm")).to_contain_text("New pack")
    page.locator("#confirm [data-agree]").click()
    page.wait_for_url("**/sign-in/")
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('packwright:unsaved')).length") == 0
    page.goto(address)
    sign_in(page, author)
    page.wait_for_url(address)
    settle(page)
    expect(offers(page)).to_have_count(0)


def test_words_are_offered_to_nobody_else(new_pack, administrator, context, live_server):
    new_pack.locator("#id_title").fill("Night ferries")
    pause(new_pack)
    key = client_of(administrator).cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": key, "url": live_server.url}])
    new_pack.reload()
    settle(new_pack)
    expect(offers(new_pack)).to_have_count(0)
    expect(new_pack.locator("#unsaved-menu")).to_be_hidden()


def test_secrets_are_not_kept(open_as, transactional_db, as_administrator):
    page = open_as(as_administrator, "/secrets/")
    page.locator("textarea[name=value]").fill("hunter2")
    page.get_by_label("Name").fill("TOKEN")
    pause(page)
    assert "hunter2" not in page.evaluate("JSON.stringify(localStorage)")


def test_leaving_asks_where_the_browser_can_keep_nothing(new_pack, live_server):
    page = new_pack
    page.evaluate("void (Storage.prototype.setItem = () => { throw new Error('full'); })")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.locator("#id_title").press_sequentially("Night ferries")
    with page.expect_event("dialog"):
        page.get_by_role("link", name="Packs").first.click()
    pause(page)
    assert asked == ["beforeunload"]
    expect(page.locator("#id_title")).to_have_value("Night ferries")


def test_a_review_that_was_left_half_way_is_offered_with_its_scores(open_as, transactional_db, team, administrator):
    run = begin_reviewed(team, administrator, reviewed_task(critical=True))
    page = open_as(client_of(administrator), f"/reviews/?run={run.pk}")
    page.keyboard.press("f")
    page.wait_for_url(re.compile(r"/reviews/\d+/"))
    page.wait_for_load_state()
    page.keyboard.press("4")
    page.get_by_role("textbox", name="Why (optional)").fill("Kind, and to the point.")
    page.reload()
    offer_of(page, "Kind, and to the point.").get_by_role("button", name="Restore").click()
    expect(page.get_by_role("group", name="Kindness").get_by_label("4")).to_be_checked()
    expect(page.get_by_role("textbox", name="Why (optional)")).to_have_value("Kind, and to the point.")
    page.keyboard.press("Escape")
    page.get_by_role("group", name="Assertion 1").get_by_label("3").check()
    page.get_by_role("button", name="Give this review").click()
    page.wait_for_load_state()
    settle(page)
    expect(offers(page)).to_have_count(0)
    expect(page.locator("#unsaved-menu")).to_be_hidden()


def test_choices_without_words_are_no_work_to_bring_back(new_pack):
    new_pack.get_by_role("radio").nth(1).check()
    pause(new_pack)
    new_pack.reload()
    settle(new_pack)
    expect(offers(new_pack)).to_have_count(0)


def test_what_a_person_says_in_a_conversation_is_offered_until_it_is_sent(
    open_as, live_server, administrator, team, desk
):
    version = publish_text(team, administrator, OURS.read_text(), slug="late-ferry")
    page = open_as(client_of(administrator), "/")
    start(page, live_server.url, version, desk)
    page.get_by_role("link", name="missed-train").first.click()
    page.get_by_label("What the user says").fill("I want a free cabin.")
    page.reload()
    offer_of(page, "I want a free cabin.").get_by_role("button", name="Restore").click()
    expect(page.get_by_label("What the user says")).to_have_value("I want a free cabin.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_label("What the user says")).to_have_count(0)
    settle(page)
    expect(offers(page)).to_have_count(0)
    expect(page.locator("#unsaved-menu")).to_be_hidden()


TOLD_LATE = """addEventListener("DOMContentLoaded", () => {
  for (const [key, newValue] of Object.entries(localStorage)) {
    dispatchEvent(new StorageEvent("storage", { key, newValue }));
  }
})"""


def test_words_are_offered_where_the_browser_tells_late_of_what_the_page_before_kept(new_pack):
    """Chromium told 2 of 90 reloads of what was written while the page before was left."""
    page = new_pack
    page.locator("#id_title").fill("Night ferries")
    page.context.add_init_script(TOLD_LATE)
    page.reload()
    offer_of(page, "Night ferries").get_by_role("button", name="Restore").click()
    expect(page.locator("#id_title")).to_have_value("Night ferries")


def test_an_offer_keeps_nobody_out_and_fits_a_phone(new_pack):
    page = new_pack
    page.locator("#id_title").fill("Night ferries " * 12)
    page.reload()
    offer_of(page, "Night ferries")
    assert troubles(page) == {}
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
