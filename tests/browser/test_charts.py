import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from runs.views.results.grid import PAGE_CASES
from tests.browser.axe import troubles
from tests.runs.noise import noisy_run
from tests.runs.studio_packs import pack_text, publish_text

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(open_as, as_author, team, author):
    run = noisy_run(team, author, publish_text(team, author, pack_text({"default": 3})))
    return open_as(as_author, f"/runs/{run.pk}/charts/")


def saved(page, chart, kind):
    with page.expect_download() as download:
        page.locator(chart).get_by_role("button", name=f"as {kind}").click()
    return Path(download.value.path()).read_bytes()


def test_charts_are_drawn_from_their_tables_and_can_be_saved(page, errors):
    expect(page.locator("figure svg[role=img]")).to_have_count(6)
    expect(page.locator("#chart-pass-rates table")).not_to_be_visible()
    drawn = page.locator("#chart-pass-rates svg circle")
    expect(drawn).to_have_count(3)

    rows = list(csv.DictReader(io.StringIO(saved(page, "#chart-pass-rates", "CSV").decode())))
    assert [row["Agent"] for row in rows] == ["agent 0", "agent 1", "agent 2"]
    assert all(float(row["Pass rate"]) == int(row["Passed"]) / int(row["Judged"]) for row in rows)
    assert saved(page, "#chart-pass-rates", "PNG").startswith(b"\x89PNG")
    alone = saved(page, "#chart-tradeoff", "SVG").decode()
    assert alone.startswith("<svg")
    assert "agent 2" in alone
    assert errors == []


def test_a_chart_can_be_read_as_a_table_by_keyboard(page, errors):
    table = page.locator("#chart-scores details")
    table.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(table.get_by_role("row", name="agent 1")).to_be_visible()
    assert errors == []


def test_charts_fit_a_narrow_page(page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("() => Number(document.getElementById('chart-seconds').dataset.drawn) < 390")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_cell_opens_beside_the_grid_and_goes_by_escape(open_as, as_author, team, author, errors):
    run = noisy_run(team, author, publish_text(team, author, pack_text({"default": 3})))
    page = open_as(as_author, f"/runs/{run.pk}/")
    cell = page.locator("#case-2 td a").nth(1)
    cell.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#cell")).to_be_focused()
    expect(page.locator("#cell").get_by_role("article")).to_have_count(4)
    assert page.url.endswith(f"/runs/{run.pk}/")
    page.keyboard.press("Escape")
    expect(page.locator("#cell")).to_have_count(0)
    expect(cell).to_be_focused()
    page.get_by_role("link", name="Passed", exact=True).click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("Passed")
    assert errors == []


def test_the_map_of_a_long_run_leads_to_its_places(open_as, as_author, team, author, errors):
    version = publish_text(team, author, pack_text({"default": 2 * PAGE_CASES + 1}))
    run = noisy_run(team, author, version, agents=1, trials=1)
    page = open_as(as_author, f"/runs/{run.pk}/")
    canvas = page.locator("#run-map canvas")
    expect(canvas).to_be_visible()
    painted = "canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean)"
    assert canvas.evaluate(painted)
    canvas.click(position={"x": canvas.bounding_box()["width"] / 2, "y": 5})
    page.wait_for_url(re.compile(r"page=2"))
    expect(page.locator("#run-grid tbody tr").first).to_contain_text(f"case-{PAGE_CASES:04}")
    assert errors == []


def test_charts_print_without_what_is_pressed_in_the_colours_of_the_light_theme(page):
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    expect(page.get_by_role("navigation", name="Rooms")).not_to_be_visible()
    expect(page.get_by_role("button", name="Download Pass rate as PNG")).not_to_be_visible()
    expect(page.locator("#chart-pass-rates svg")).to_be_visible()
    expect(page.locator("#chart-pass-rates")).to_have_css("background-color", "rgb(255, 255, 255)")
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_cases_are_grouped_with_the_sums_of_each_group(open_as, as_author, team, author, errors):
    run = noisy_run(team, author, publish_text(team, author, pack_text({"default": 3})))
    page = open_as(as_author, f"/runs/{run.pk}/")
    page.get_by_role("navigation", name="Group the cases").get_by_role("link", name="Failed grader").click()
    page.wait_for_url(re.compile("group=grader"))
    expect(page.locator(".heat__group").first).to_contain_text("trials passed")
    page.get_by_role("link", name="Passed", exact=True).click()
    page.wait_for_url(re.compile("group=grader.*sort=passed|sort=passed.*group=grader"))
    expect(page.locator(".heat__group").first).to_be_visible()
    assert errors == []


def test_a_metric_is_drawn_for_all_agents_on_the_same_axis(open_as, as_author, team, author, errors):
    run = noisy_run(team, author, publish_text(team, author, pack_text({"default": 3})))
    page = open_as(as_author, f"/runs/{run.pk}/metrics/")
    expect(page.locator("#chart-metric svg[role=img]")).to_be_visible()
    expect(page.get_by_role("table", name="Metrics by agent").get_by_role("columnheader")).to_have_count(4)
    page.get_by_role("link", name="success").click()
    expect(page.locator("#chart-metric h2")).to_have_text("success")
    rows = list(csv.DictReader(io.StringIO(saved(page, "#chart-metric", "CSV").decode())))
    assert [row["success"] for row in rows] == ["yes", "no"]
    assert set(rows[0]) == {"success", "agent 0", "agent 1", "agent 2"}
    assert errors == []


def test_operators_see_the_figures_of_the_studio_as_charts(
    open_as, as_administrator, administrator, team, author, errors
):
    noisy_run(team, author, publish_text(team, author, pack_text({"default": 3})))
    type(administrator).objects.filter(pk=administrator.pk).update(is_staff=True)
    page = open_as(as_administrator, "/ops/")
    expect(page.get_by_role("link", name="Ops")).to_have_attribute("aria-current", "page")
    expect(page.locator("#chart-stored svg[role=img]")).to_contain_text("MB")
    waiting = page.locator("#chart-depth svg rect")
    expect(waiting).to_have_count(3)
    assert waiting.evaluate_all("bars => bars.every((bar) => bar.width.baseVal.value === 0)")
    assert b"Trials" in saved(page, "#chart-depth", "CSV")
    assert troubles(page) == {}
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("() => Number(document.getElementById('chart-disk').dataset.drawn) < 390")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert errors == []
