"""The pictures of a run of every format at a common size: 40 cases by 3 agents by 3 trials."""

import csv
import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from packs.formats import FORMATS
from packs.formats.tables import read_table
from packs.grid.beginnings import likely_recipe
from packs.grid.taking import create_from_table
from packs.publish import publish
from runs.launch.launching import launch
from runs.models import SharedPage
from tests.browser.axe import troubles
from tests.runs.conftest import agents, version  # noqa: F401
from tests.runs.noise import noisy_run
from tests.runs.working import work_off

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CASES = 40


def version_of(name, team, user):
    """A published pack of a format with so many cases."""
    lines = ["key,question,answer", *(f"px-{at:02d},Where is parcel {at}?,hub {at}" for at in range(CASES))]
    table = read_table("\n".join(lines))
    return publish(create_from_table(team, user, likely_recipe(table, name, f"Desk {name}"), table), user)


def saved(page, place, kind):
    with page.expect_download() as download:
        place.get_by_role("button", name=f"as {kind}").click()
    return Path(download.value.path()).read_bytes()


@pytest.mark.parametrize("name", FORMATS)
def test_the_grid_of_a_run_is_read_sorted_grouped_opened_and_saved(open_as, as_author, team, author, name, errors):
    run = noisy_run(team, author, version_of(name, team, author), agents=3, trials=3)
    page = open_as(as_author, f"/runs/{run.pk}/")
    grid = page.locator("#run-grid")
    expect(grid.locator("tr[data-row]")).to_have_count(CASES)
    for mark in ("flaky", "undecided", "error"):
        expect(grid.locator("a.heat", has_text=mark).first).to_be_visible()
    assert not troubles(page)

    rows = list(csv.DictReader(io.StringIO(saved(page, grid, "CSV").decode())))
    assert len(rows) == CASES
    assert sum(int(row[f"agent {at}: passed"]) for row in rows for at in range(3)) == run.counts["passed"]
    drawn = ElementTree.fromstring(saved(page, grid, "SVG").decode())
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}rect"))) == 1 + 3 * CASES
    assert saved(page, grid, "PNG").startswith(b"\x89PNG")

    page.get_by_role("link", name="Passed", exact=True).click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("Passed")
    page.get_by_role("navigation", name="Group the cases").get_by_role("link", name="Failed grader").click()
    expect(grid.locator("tr.heat__group").first).to_be_visible()
    grid.locator("a.heat").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#cell").get_by_role("article")).to_have_count(3)
    page.get_by_role("navigation", name="Parts of the run").get_by_role("link", name="Charts").click()
    expect(page.locator("figure svg[role=img]")).to_have_count(6)
    expect(page.locator("#chart-tradeoff svg circle")).to_have_count(3)
    assert not troubles(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert errors == []


def test_a_run_is_shared_by_a_link_that_needs_no_account_and_taken_back(
    open_as, as_administrator, team, author, new_context, version, errors
):
    run = noisy_run(team, author, version)
    page = open_as(as_administrator, f"/runs/{run.pk}/")
    page.get_by_role("link", name="Share").click()
    page.get_by_label("Ends after").fill("2")
    page.get_by_role("button", name="Make a link").click()
    address = page.get_by_role("article").get_by_role("link").get_attribute("href")
    assert not troubles(page)

    stranger = new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    seen = stranger.new_page()
    seen.goto(address)
    expect(seen.get_by_role("heading", level=1)).to_have_text(f"Run {run.pk}")
    expect(seen.get_by_role("img", name="Pass rate")).to_be_visible()
    expect(seen.get_by_role("img", name="Cases by agents")).to_be_visible()
    seen.locator("summary", has_text="Table").first.click()
    expect(seen.get_by_role("columnheader", name="Pass rate").nth(1)).to_be_visible()

    page.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("The link was revoked.")).to_be_visible()
    assert seen.goto(address).status == 404
    assert SharedPage.objects.get().ended_by is not None
    assert errors == []


def test_the_file_of_a_replay_opens_without_the_studio(
    open_as, as_author, author, version, agents, new_context, tmp_path
):
    trial = work_off(launch(author, version, [agents["reference"]])).trials.first()
    page = open_as(as_author, f"/replays/{trial.pk}/")
    page.get_by_role("link", name="Share").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as HTML").click()
    file = tmp_path / "replay.html"
    file.write_bytes(Path(download.value.path()).read_bytes())
    alone = new_context(offline=True)
    asked = []
    seen = alone.new_page()
    seen.on("request", lambda request: asked.append(request.url))
    seen.goto(file.as_uri())
    expect(seen.get_by_role("img", name="steps by kind")).to_be_visible()
    seen.locator("summary").last.click()
    expect(seen.locator("li pre").last).to_be_visible()
    assert asked == [file.as_uri()]
