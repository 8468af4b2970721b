"""Runs are chosen, compared and looked into."""

import pytest
from playwright.sync_api import expect

from runs.launch.launching import launch
from runs.models import Agent
from tests.browser.axe import troubles
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1440, "height": 900}


@pytest.fixture
def runs(transactional_db, team, author):
    """The second of them answers one case wrongly that the first answered well."""
    version = publish_text(team, author, pack_text({"default": 3}))
    answers = {"before": {}, "after": {"case-0001": "Nobody knows.\nAsk again."}}
    return [
        work_off(launch(author, version, [Agent.objects.create(team=team, name=name, kind="scripted", config=config)]))
        for name, given in answers.items()
        for config in ({"default": {"output": "It is at the hub."}, "answers": given},)
    ]


def test_runs_are_chosen_and_compared_without_a_mouse(open_as, as_author, runs, errors):
    page = open_as(as_author, "/runs/")
    bar = page.get_by_role("form", name="Compare runs")
    expect(bar).to_be_hidden()
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(bar.get_by_role("button", name="Compare")).to_be_disabled()
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(bar.get_by_role("status")).to_have_text("2 selected")
    page.get_by_role("searchbox", name="Search runs").fill("parcels")
    page.wait_for_url("**q=parcels**")
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)
    page.get_by_role("searchbox", name="Search runs").fill("nothing like it")
    expect(page.get_by_role("heading", name="No run matches")).to_be_visible()
    page.get_by_role("link", name="Clear filters").click()
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)
    page.get_by_role("checkbox").first.focus()
    page.keyboard.press("c")
    page.wait_for_url(f"**/runs/compare/?ids={runs[0].pk},{runs[1].pk}")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    case = page.get_by_role("region", name="case-0001 in each column")
    expect(case.locator("ins").first).to_contain_text("Nobody knows.")
    expect(page.locator("#chart-cases svg circle")).to_have_count(2)
    expect(page.get_by_role("button", name="Download Cases that passed as CSV")).to_be_visible()
    expect(page.get_by_role("link", name="case-0001")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Enter")
    expect(case).to_have_count(0)
    assert errors == []


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_what_regressed_is_filtered_and_opened_by_everybody(open_as, as_author, runs, errors, size):
    page = open_as(as_author, f"/runs/compare/?ids={runs[0].pk},{runs[1].pk}")
    page.set_viewport_size(size)
    page.get_by_role("link", name="Regressed 1").click()
    expect(page.locator("[data-row]")).to_have_count(1)
    page.get_by_role("link", name="case-0001").click()
    expect(page.get_by_role("region", name="case-0001 in each column")).to_be_visible()
    assert "open=" in page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert troubles(page, least=None) == {}
    assert errors == []
