"""A person reviews trials with the keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from runs.models import ReviewRequest, Trial
from tests.people import client_of
from tests.runs.conftest import broker_folders  # noqa: F401
from tests.runs.reviews import begin_reviewed, reviewed_task

pytestmark = pytest.mark.browser


def test_keys_score_a_trial_and_lead_on_to_the_next(open_as, transactional_db, team, administrator, errors):
    run = begin_reviewed(team, administrator, reviewed_task(critical=True))
    page = open_as(client_of(administrator), f"/reviews/?run={run.pk}")
    page.keyboard.press("n")
    page.wait_for_url(re.compile(r"/reviews/\d+/"))
    first = page.url
    page.keyboard.press("4")
    page.keyboard.press("3")
    expect(page.get_by_role("group", name="Kindness").get_by_label("4")).to_be_checked()
    expect(page.get_by_role("group", name="Assertion 1").get_by_label("3")).to_be_checked()
    expect(page.get_by_role("button", name="Give this review")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page).not_to_have_url(first)
    # Keys are heard once the scripts of a page are there.
    page.wait_for_load_state()
    assert Trial.objects.filter(run=run, status="passed").count() == 1
    second = page.url
    page.keyboard.press("]")
    expect(page).not_to_have_url(second)
    page.wait_for_load_state()
    page.keyboard.press("[")
    expect(page).to_have_url(second)
    assert ReviewRequest.objects.waiting().count() == 4
    assert errors == []
