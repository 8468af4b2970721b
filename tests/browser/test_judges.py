"""Judges beside people, in a browser."""

import re

import pytest
from playwright.sync_api import expect

from runs.jobs.scores.rescoring import rescore
from runs.models import Run
from runs.results.rescoring import ask_rescore
from tests.browser.axe import troubles
from tests.runs.calibrated import again, calibrated_run, judged_suite

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def version(team, administrator, model_server, settings):
    settings.ENDPOINT_HOSTS = ["127.0.0.1"]
    version = judged_suite(team, administrator)
    calibrated_run(version, administrator, model_server, ["pp"] * 4 + ["ff"] * 3 + ["fp"])
    second = again(version, administrator)
    calibrated_run(second, administrator, model_server, ["pp", "pf", "fp", "ff"])
    return second


def test_a_judge_is_compared_with_people_and_a_difference_opened(open_as, as_administrator, version, errors):
    page = open_as(as_administrator, f"/results/{version.pack.team.slug}/{version.pack.slug}/judges/")
    table = page.get_by_role("table", name="Verdicts of people and of the judge")
    expect(table.get_by_role("row", name="People pass")).to_contain_text("5")
    expect(page.locator("#chart-drift svg circle")).to_have_count(2)
    assert troubles(page, least=None) == {}
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    differing = page.get_by_role("region", name="Where judge and people differ")
    expect(differing.get_by_role("row")).to_have_count(4)
    differing.get_by_role("link", name="be-kind_1").first.click()
    expect(page).to_have_url(re.compile(r"/runs/trials/\d+/#judges"))
    expect(page.get_by_role("heading", name="Judges")).to_be_visible()
    assert errors == []


def test_two_judgings_of_the_same_answers_are_compared(open_as, as_administrator, version, administrator, errors):
    run = Run.objects.filter(version__pack=version.pack).order_by("pk").first()
    row = ask_rescore(run, administrator)
    rescore(row)
    page = open_as(as_administrator, f"/runs/rescores/{row.pk}/")
    page.get_by_role("link", name="Compare with another judging").click()
    expect(page.get_by_text("They agree on")).to_contain_text("100 %")
    assert troubles(page, least=None) == {}
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("row", name="be-kind_1").get_by_role("link", name="be-kind_1").click()
    expect(page.get_by_role("heading", name="be-kind_1, re-scored")).to_be_visible()
    assert errors == []
