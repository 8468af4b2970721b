"""The page that shows the API: it loads nothing from elsewhere, and its calls are made as who is signed in."""

import re

import pytest
from playwright.sync_api import expect

from tests.people import client_of

pytestmark = pytest.mark.browser
AGENTS = "#operations-agents-agents_create"


def test_a_call_is_read_and_tried_from_the_page(open_as, live_server, transactional_db, team, administrator, errors):
    page = open_as(client_of(administrator), "/api/#/agents")
    foreign = []
    page.on(
        "request",
        lambda request: request.url.startswith((live_server.url, "data:", "blob:")) or foreign.append(request.url),
    )
    block = page.locator(AGENTS)
    expect(block).to_contain_text("Make an agent")
    block.locator(".opblock-summary-control").click()
    block.get_by_role("button", name="Try it out").click()
    block.get_by_role("button", name="Execute").click()
    answer = block.locator(".live-responses-table .response .response-col_status")
    expect(answer.first).to_have_text(re.compile("201"))
    assert team.agents.get().name == "reference"
    assert foreign == []
    # What the policy of the page had to refuse stands there as well.
    assert errors == []


def test_the_page_is_dark_with_the_studio(open_as, transactional_db, team, administrator, errors):
    page = open_as(client_of(administrator), "/api/")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_class(re.compile("dark-mode"))
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).not_to_have_class(re.compile("dark-mode"))
    assert errors == []
