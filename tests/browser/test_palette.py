"""From anywhere to what one wants by few keys, and what the list of keys shows."""

import pytest
from playwright.sync_api import expect

from packs.access import Role
from runs.models import Run
from tests.access.world import make_world
from tests.people import client_of

pytestmark = pytest.mark.browser

# Presses every key that the list behind `?` shows, and tells which of them pressed nothing.
UNANSWERED = """() => {
  const shown = [...document.querySelectorAll("#keys dt[data-listed] kbd")].map((each) => each.textContent);
  document.getElementById("keys").close();
  let clicked = false;
  const note = (event) => { clicked = true; event.preventDefault(); event.stopImmediatePropagation(); };
  document.addEventListener("click", note, true);
  const silent = shown.filter((key) => {
    clicked = false;
    for (const part of key.split(" "))
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: part, bubbles: true, cancelable: true }));
    return !clicked;
  });
  document.removeEventListener("click", note, true);
  return { shown, silent };
}"""


@pytest.fixture
def world(transactional_db):
    return make_world("quokka")


@pytest.fixture
def author(world):
    return client_of(world.people[Role.AUTHOR])


class Counted:
    """A keyboard that counts what is pressed."""

    def __init__(self, page):
        self.page, self.pressed = page, 0

    def press(self, *keys):
        for key in keys:
            self.pressed += 1
            self.page.keyboard.press(key)


def test_four_keys_and_enter_start_a_run_from_anywhere(open_as, author, world, errors):
    page = open_as(author, "/account/")
    before = Run.objects.count()
    keyboard = Counted(page)
    keyboard.press("Control+k", "r", world.version.input_sets.first().key[0])
    expect(page.locator("#palette [aria-selected=true]")).to_contain_text("Run quokka parcels")
    keyboard.press("Enter")
    page.wait_for_url("**/runs/new/**")
    keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: "/runs/new/" not in url)
    assert keyboard.pressed == 5
    assert Run.objects.count() == before + 1
    assert Run.objects.latest("pk").input_set.key == world.version.input_sets.first().key
    assert errors == []


def test_the_palette_finds_words_renames_and_changes_the_theme(open_as, author, errors):
    page = open_as(author, "/packs/")
    page.keyboard.press("Control+k")
    page.keyboard.type("quokka hub")
    expect(page.get_by_role("group", name="Trials").get_by_role("option")).to_have_count(1)
    page.locator("#palette input").fill("rename quokka-case")
    expect(page.locator("#palette [aria-selected=true]")).to_contain_text("Rename the case quokka-case")
    page.locator("#palette input").fill("theme dark")
    expect(page.locator("#palette [aria-selected=true]")).to_contain_text("Dark theme")
    page.keyboard.press("Enter")
    expect(page.locator("#palette")).not_to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("Control+k")
    page.locator("#palette input").fill("rename quokka-case")
    expect(page.locator("#palette [aria-selected=true]")).to_contain_text("Rename the case quokka-case")
    page.keyboard.press("Enter")
    page.wait_for_url("**/edit/cases/**")
    expect(page.locator(":focus")).to_have_value("quokka-case")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert errors == []


def pages_of(world):
    pack = f"/packs/{world.team.slug}/{world.pack.slug}/"
    edit = f"{pack}edit/"
    return {
        "/": {"n"},
        "/packs/": {"n", "i"},
        pack: {"e", "P", "r"},
        f"{edit}{world.ref('case').path}/": {"a c", "t", "p", "d"},
        f"{pack}versions/1/": {"r"},
        "/runs/": {"n"},
        f"/runs/{world.run.pk}/": {"r"},
        f"/runs/trials/{world.trial.pk}/": {"l", "s", "m", "c"},
        f"/replays/{world.trial.pk}/": {".", "c"},
        "/agents/": set(),
        "/account/": set(),
    }


def test_what_the_list_of_keys_shows_is_what_works(open_as, author, world, live_server):
    page = open_as(author, "/")
    for path, least in pages_of(world).items():
        page.goto(f"{live_server.url}{path}")
        page.keyboard.press("?")
        expect(page.locator("#keys")).to_be_visible()
        said = page.locator("#keys dd[data-listed]").all_inner_texts()
        found = page.evaluate(UNANSWERED)
        assert not [each for each in said for key in found["shown"] if not each or each.endswith(f"({key})")], path
        assert found["silent"] == [], path
        assert least <= set(found["shown"]), path
