import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from packs.publish import publish
from runs.models import Grade, Trial
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
    page.wait_for_function("() => [...document.images].every((image) => image.complete && image.naturalWidth > 0)")
    address = badge.get_attribute("src")
    page.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("The badge was revoked.")).to_be_visible()
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


def test_failures_are_grouped_by_tool_and_by_the_first_step_that_differs(open_as, as_author, version, errors):
    failed = Trial.objects.filter(status="failed", case_key="case-0000").get()
    called = {"event_type": "tool.call.failed", "payload": {"tool_name": "price", "error": "No such item"}}
    failed.events.filter(event_type="system.output.finalized").update(**called)
    page = open_as(as_author, f"/results/{version.pack.team.slug}/{version.pack.slug}/failures/")
    page.get_by_label("Group by").select_option("Tool error")
    page.get_by_role("button", name="Show").last.click()
    expect(page.get_by_role("link", name="No such item")).to_be_visible()
    expect(page.get_by_text("without an error of a tool")).to_be_visible()
    page.get_by_label("Group by").select_option("First step that differs")
    page.get_by_role("button", name="Show").last.click()
    page.get_by_role("link", name="price in place of the final answer").click()
    page.get_by_role("button", name="Make cases of these").click()
    expect(page.get_by_text("1 case was made in the draft.")).to_be_visible()
    page.get_by_role("link", name="beside a trial that passed").click()
    expect(page.locator("#step-title")).to_contain_text("Final output")
    assert errors == []


def test_what_cases_are_worth_is_drawn_and_narrowed(open_as, as_author, team, author, errors):
    version = publish_text(team, author, pack_text({"default": 4}))
    ends = {"strong": ["pp", "pp", "pf", "ff"], "middle": ["pp", "pf", "ff", "ff"], "weak": ["pp", "ff", "ff", "ff"]}
    run_with(team, author, version, ends)
    page = open_as(as_author, f"/results/{team.slug}/{version.pack.slug}/cases/")
    chart = page.locator("#chart-items")
    expect(chart.locator("svg [data-mark=dot] path, svg [data-mark=dot] circle")).to_have_count(2)
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
