"""A person reviews trials with the keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from runs.jobs.scores.reviewing import review
from runs.models import ReviewRequest, Trial
from tests.browser.axe import troubles
from tests.people import client_of
from tests.runs.reviews import begin_reviewed, requests_of, reviewed_task, reviewer, scores

pytestmark = pytest.mark.browser


def test_keys_score_a_trial_and_lead_on_to_the_next(open_as, transactional_db, team, administrator, errors):
    run = begin_reviewed(team, administrator, reviewed_task(critical=True))
    page = open_as(client_of(administrator), f"/reviews/?run={run.pk}")
    page.keyboard.press("f")
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


@pytest.fixture
def disputed(transactional_db, team, administrator):
    """A run whose trials three people reviewed, who differ most about the second."""
    run = begin_reviewed(team, administrator, reviewed_task(min_reviewers=3))
    people = [reviewer(team, name) for name in ("ada", "bob", "a-reviewer-with-a-name-that-is-rather-long")]
    for place, request in enumerate(requests_of(run)[:3]):
        for number, person in enumerate(people):
            review(request, person, scores(4, number if place == 1 else 3))
    return run


def test_agreement_keeps_nobody_out_and_its_first_dispute_is_a_key_away(open_as, administrator, disputed, errors):
    page = open_as(client_of(administrator), f"/runs/{disputed.pk}/reviews/")
    assert troubles(page) == {}
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    expect(page.get_by_role("table", name="By two people").get_by_role("row")).to_have_count(4)
    page.keyboard.press("f")
    page.wait_for_url(f"**/reviews/{requests_of(disputed)[1].pk}/")
    assert errors == []
