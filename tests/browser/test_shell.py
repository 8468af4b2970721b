"""The shell and the pages of packs as people use them: by keyboard, on a phone, without script."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import expect

from packs.models import Pack
from packs.publish import publish
from runs.models import WorkerBeat
from studio.tokens import Wish, issue
from tests.browser.axe import troubles
from tests.browser.conftest import TIMEOUT_MS
from tests.packs.drafts import draft_of, pack_text
from tests.people import PASSWORD, client_of

pytestmark = pytest.mark.browser
PACK = "/packs/default/parcels/"
PAGES = [
    "/",
    "/packs/",
    "/packs/?q=nothing",
    "/packs/import/",
    "/packs/new/",
    PACK,
    f"{PACK}publish/",
    f"{PACK}export/",
    f"{PACK}versions/",
    f"{PACK}versions/1/",
    "/packs/default/broken/publish/",
    "/account/",
    "/workers/",
    "/search/?q=parcels",
]


@pytest.fixture
def world(transactional_db, team, administrator):
    """A published pack, a broken one, a key; the session is of a curator who is staff."""
    publish(draft_of(team), administrator)
    draft_of(team, pack_text().replace(b"locate\n", b"lost\n", 1), slug="broken")
    issue(administrator, Wish("CI"))
    administrator.is_staff = True
    administrator.save()
    return client_of(administrator)


def test_axe_says_what_keeps_people_out(page):
    page.set_content("<main><h1>Ferries</h1><button></button></main>")
    assert {"light button-name", "dark button-name"} <= set(troubles(page))


def test_pages_are_accessible_in_both_themes_quiet_and_fit_on_a_phone(open_as, live_server, world, errors):
    page = open_as(world, "/")
    for path in PAGES:
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto(f"{live_server.url}{path}")
        found = troubles(page)
        page.set_viewport_size({"width": 390, "height": 844})
        is_narrow = page.evaluate("document.documentElement.scrollWidth") <= 390
        assert (path, found, is_narrow, errors) == (path, {}, True, [])
        expect(page.get_by_role("navigation", name="Rooms")).to_be_in_viewport()


def test_the_palette_opens_by_keyboard_and_leads_to_a_pack(open_as, world):
    page = open_as(world, "/")
    page.keyboard.press("Control+k")
    page.keyboard.type("parcels")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Parcels")
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).not_to_be_visible()
    page.keyboard.press("Control+k")
    page.locator("#palette input").fill("import")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Import")
    page.keyboard.press("Enter")
    page.wait_for_url("**/packs/import/")


def test_keys_move_over_rows_and_stand_down_while_typing(open_as, world):
    page = open_as(world, "/packs/")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("[data-row]").nth(1)).to_have_attribute("data-current", "")
    page.keyboard.press("/")
    page.keyboard.type("n?j")
    expect(page.locator("[data-search]")).to_have_value("n?j")
    expect(page.locator("#keys")).not_to_be_visible()
    page.locator("body").click(position={"x": 700, "y": 600})
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()


def test_keys_of_a_sequence_may_follow_each_other_slowly_and_are_shown_meanwhile(open_as, world):
    page = open_as(world, "/packs/")
    begun = page.locator("#begun")
    page.keyboard.press("g")
    page.wait_for_timeout(1_500)
    expect(begun).to_have_text(re.compile(r"^g then .*\bh\b.*\br\b"))
    page.keyboard.press("Escape")
    expect(begun).to_be_hidden()
    page.keyboard.press("g")
    page.locator("h1").click()
    expect(begun).to_be_hidden()
    page.keyboard.press("g")
    page.wait_for_timeout(1_500)
    page.keyboard.press("r")
    page.wait_for_url("**/runs/")


def test_typing_narrows_the_list_and_the_address_keeps_it(open_as, world):
    page = open_as(world, "/packs/?sort=title")
    page.locator("[data-search]").fill("broken")
    expect(page.locator("[data-row]")).to_have_count(1)
    page.wait_for_url("**q=broken**")
    assert "sort=title" in page.url
    page.reload()
    expect(page.locator("[data-search]")).to_have_value("broken")
    expect(page.locator("[data-row]")).to_have_count(1)


def test_a_file_is_looked_at_imported_published_and_exported(open_as, world, team, errors):
    page = open_as(world, "/packs/import/")
    text = pack_text().replace(b"slug: parcels", b"slug: letters")
    page.set_input_files("input[type=file]", {"name": "letters.yaml", "mimeType": "text/yaml", "buffer": text})
    page.get_by_role("button", name="Preview the import").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Parcels")
    assert troubles(page) == {}
    assert not Pack.objects.filter(slug="letters").exists()
    page.get_by_role("button", name="Import").click()
    page.wait_for_url("**/packs/default/letters/")
    page.get_by_role("link", name="Check and publish").click()
    page.get_by_role("button", name="Publish").click()
    page.wait_for_url("**/versions/1/")
    page.get_by_role("link", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="File").click()
    assert Path(download.value.path()).read_bytes().startswith(b"pack:")
    assert errors == []


def test_what_blocks_publishing_leads_to_the_field(open_as, world):
    page = open_as(world, "/packs/default/broken/publish/")
    page.get_by_role("link", name="Open").first.click()
    page.wait_for_url("**/packs/default/broken/edit/**")


def test_the_sign_of_the_workers_changes_by_itself(open_as, world):
    page = open_as(world, "/")
    expect(page.locator("#worker-pill")).to_contain_text("No worker")
    soon = timezone.now() + timedelta(seconds=60)
    WorkerBeat.objects.create(name="one", seen_at=soon, started_at=soon, slots=2)
    expect(page.locator("#worker-pill")).to_contain_text("1 worker")


def test_taking_back_a_key_asks_first(open_as, world, administrator):
    page = open_as(world, "/account/")
    page.get_by_role("button", name="Revoke").click()
    page.get_by_role("button", name="Keep as it is").click()
    assert administrator.tokens.count() == 1
    page.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.locator(".toast")).to_be_visible()
    assert administrator.tokens.count() == 0


def test_the_theme_changes_at_once_and_stays(open_as, world):
    page = open_as(world, "/packs/")
    page.locator("summary[aria-label^=Account]").click()
    with page.expect_response("**/theme/"):
        page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_importing_and_publishing_work_without_script(live_server, new_context, transactional_db, administrator):
    bare = new_context(java_script_enabled=False)
    page = bare.new_page()
    page.goto(f"{live_server.url}/packs/import/")
    page.get_by_label("Username").fill(administrator.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("Paste text instead").click()
    page.get_by_label("Pasted text").fill(pack_text().decode())
    page.get_by_role("button", name="Preview the import").click()
    page.get_by_role("button", name="Import").click()
    page.get_by_role("link", name="Check and publish").click()
    page.get_by_role("button", name="Publish").click()
    page.wait_for_url("**/versions/1/")
    assert Pack.objects.get(slug="parcels").versions.count() == 1


def test_back_and_forward_show_nothing_private_after_signing_out(
    live_server, world, browser_type, browser_type_launch_args
):
    # Playwright turns off the memory of whole pages that the browsers of people have.
    people_have = {"ignore_default_args": ["--disable-back-forward-cache"]}
    with browser_type.launch(**browser_type_launch_args, **people_have) as browser:
        page = browser.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        session = world.cookies[settings.SESSION_COOKIE_NAME]
        page.context.add_cookies([{"name": session.key, "value": session.value, "url": live_server.url}])
        page.goto(f"{live_server.url}/packs/")
        expect(page.get_by_role("link", name="Run Parcels").first).to_be_visible()
        page.goto(f"{live_server.url}/account/")
        page.get_by_label("Account of").click()
        page.get_by_role("button", name="Sign out", exact=True).click()
        page.wait_for_url("**/sign-in/")
        back, again = "?next=/account/", "?next=/packs/"
        for way, asked in (("back", back), ("back", again), ("forward", back), ("forward", "")):
            page.evaluate(f"history.{way}()")
            expect(page).to_have_url(f"{live_server.url}/sign-in/{asked}")
            expect(page.get_by_label("Password")).to_be_visible()
            expect(page.get_by_text("Parcels")).to_have_count(0)


def test_what_is_pressed_is_clicked_once_wherever_the_page_moves_it(open_as, as_author):
    page = open_as(as_author, "/packs/")
    link = page.get_by_role("link", name="Import", exact=True)
    link.evaluate("link => link.insertAdjacentHTML('beforebegin', '<button id=pressed type=button>Press</button>')")
    button = page.locator("#pressed")
    page.evaluate(
        """() => {
            window.clicks = 0;
            document.addEventListener("click", event => {
                if (event.target.closest("#pressed, a")) window.clicks += 1;
                event.preventDefault();
            });
        }"""
    )

    def clicks_of_a_press(pressed, change="", drag=0):
        pressed.hover()
        page.mouse.down()
        pressed.evaluate(f"pressed => {{ {change} }}")
        if drag:
            box = pressed.bounding_box()
            page.mouse.move(box["x"] - drag, box["y"])
        page.mouse.up()
        # What the release begins comes before a timer that is set after it.
        return page.evaluate("new Promise(resolve => setTimeout(() => resolve([window.clicks, window.clicks = 0][0])))")

    moved = "pressed.style.translate = '0 200px';"
    assert clicks_of_a_press(link) == 1
    assert clicks_of_a_press(link, moved) == 1
    assert clicks_of_a_press(link, drag=200) == 0
    assert clicks_of_a_press(button, f"{moved} pressed.disabled = true;") == 0
    assert clicks_of_a_press(link, "pressed.style.display = 'none';") == 0
