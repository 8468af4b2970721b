"""Making agents and connections from their galleries, by keyboard alone."""

import pytest
from playwright.sync_api import expect

from runs.models import Agent
from tests.browser.axe import troubles
from tests.people import client_of

pytestmark = pytest.mark.browser


@pytest.fixture
def as_manager(transactional_db, administrator):
    return client_of(administrator)


def test_an_agent_is_made_without_a_mouse(open_as, as_manager, team, errors):
    page = open_as(as_manager, "/agents/")
    page.get_by_role("link", name="New agent").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="Search kinds of agent")).to_be_focused()
    page.keyboard.type("answer each case")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Scripted")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("New agent: Scripted")
    # Keys mean something once the scripts of the page are there.
    page.wait_for_load_state()
    expect(page.get_by_label("Delay (seconds)")).to_be_hidden()
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("parrot")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type('"At the hub"')
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("parrot")
    assert Agent.objects.get(name="parrot").config["default"] == "At the hub"
    assert errors == []


def test_a_connection_begins_with_the_address_of_its_provider(open_as, as_manager, team, errors):
    page = open_as(as_manager, "/connections/")
    page.get_by_role("link", name="New connection").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="Search places where models answer")).to_be_focused()
    page.keyboard.type("ollama")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Ollama")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Address")).to_have_value("http://127.0.0.1:11434/v1")
    expect(page.get_by_label("Retries")).to_be_hidden()
    assert errors == []


@pytest.mark.parametrize("width", [1440, 390])
def test_the_galleries_are_accessible(open_as, as_manager, team, live_server, width, errors):
    page = open_as(as_manager, "/agents/new/")
    page.set_viewport_size({"width": width, "height": 900})
    for path in ("/agents/new/", "/connections/new/", "/agents/new/http/"):
        page.goto(f"{live_server.url}{path}")
        assert troubles(page, least=None) == {}
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert errors == []
