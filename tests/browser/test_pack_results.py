import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from packs.publish import publish
from runs.models import Grade
from tests.runs.outcomes import run_with
from tests.runs.studio_packs import pack_text, publish_text

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def version(team, author):
    first = publish_text(team, author, pack_text({"default": 3}))
    run_with(team, author, first, {"old": ["p", "f", "e"], "new": ["p", "p", "p"]}, cost_usd=0.5)
    pack = first.pack
    pack.refresh_from_db()
    second = publish(pack, author, number=2)
    run_with(team, author, second, {"old": ["f", "p", "p"], "new": ["p", "p", "p"]}, cost_usd=0.5)
    return second


def test_the_results_of_a_pack_are_drawn_and_its_changed_cases_listed(open_as, as_administrator, version, errors):
    page = open_as(as_administrator, f"/results/{version.pack.team.slug}/{version.pack.slug}/")
    chart = page.locator("#chart-pass-rate-over-time")
    expect(chart.locator("svg circle")).to_have_count(4)
    expect(chart.locator("svg")).to_contain_text("v2")
    with page.expect_download() as download:
        chart.get_by_role("button", name="as CSV").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
    assert [(row["Agent"], row["Version"], row["Judged"]) for row in rows][0] == ("old", "1", "2")
    page.get_by_label("Agent", exact=True).select_option("old")
    page.get_by_role("button", name="Show").click()
    changed = page.get_by_role("region", name="Cases that changed")
    expect(changed.get_by_role("link", name="case-0000")).to_be_visible()
    expect(changed.get_by_role("link", name="case-0001")).to_be_visible()

    page.get_by_role("button", name="Make a badge").click()
    badge = page.get_by_role("img", name="Badge of old", exact=True)
    page.wait_for_function("[...document.images].every((image) => image.complete && image.naturalWidth > 0)")
    address = badge.get_attribute("src")
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    expect(page.get_by_text("The badge was taken back.")).to_be_visible()
    assert page.request.get(page.url.partition("/results/")[0] + address).status == 404
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert errors == []


def test_failures_are_grouped_named_and_made_into_cases(open_as, as_author, version, errors):
    Grade.objects.filter(trial__status="failed").update(verdict="fail", score=0.0, reason="expected 'hub'")
    page = open_as(as_author, f"/results/{version.pack.team.slug}/{version.pack.slug}/")
    page.get_by_role("link", name="Failures").click()
    page.get_by_role("link", name="expected <text>").click()
    expect(page.get_by_role("row", name="case-0001")).to_contain_text("beside a trial that passed")
    page.get_by_label("Name of the group").fill("Wrong place")
    page.get_by_role("button", name="Save name").click()
    expect(page.get_by_role("heading", name="Wrong place")).to_be_visible()
    page.get_by_role("button", name="Make cases of these").click()
    expect(page.get_by_text("2 cases were made in the draft.")).to_be_visible()
    page.get_by_role("link", name="beside a trial that passed").first.click()
    expect(page).to_have_url(re.compile("replays/compare"))
    assert errors == []


def test_what_cases_are_worth_is_drawn_and_narrowed(open_as, as_author, team, author, errors):
    version = publish_text(team, author, pack_text({"default": 4}))
    ends = {"strong": ["pp", "pp", "pf", "ff"], "middle": ["pp", "pf", "ff", "ff"], "weak": ["pp", "ff", "ff", "ff"]}
    run_with(team, author, version, ends)
    page = open_as(as_author, f"/results/{team.slug}/{version.pack.slug}/cases/")
    chart = page.locator("#chart-items")
    expect(chart.locator("svg [aria-label=dot] path, svg [aria-label=dot] circle")).to_have_count(2)
    expect(page.locator("#chart-gaps svg rect")).to_have_count(2)
    page.get_by_role("link", name="Solved by nobody").click()
    table = chart.locator("details")
    table.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(table.get_by_role("row", name="case-0003")).to_contain_text("nobody solves it")
    expect(table.locator("tbody tr")).to_have_count(1)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert errors == []
