"""People work through a review queue with the keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from runs.models import Review
from runs.results.queues import close_queue
from tests.browser.axe import troubles
from tests.people import client_of
from tests.runs.queues import RIGHT, asked_in, begin_run, queue_of
from tests.runs.reviews import reviewer

pytestmark = pytest.mark.browser
PASSAGES = {"name": "Wrong words", "kind": "passages"}


@pytest.fixture
def run(transactional_db, team, administrator):
    return begin_run(team, administrator, cases=3)


def check_page(page):
    """No serious finding of axe in either theme, and nothing wider than a phone."""
    assert troubles(page) == {}
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.set_viewport_size({"width": 1440, "height": 900})


def test_a_queue_is_made_of_a_filter_and_reviewed_by_two_keys_a_trial(open_as, run, team, administrator, errors):
    page = open_as(client_of(administrator), f"/runs/{run.pk}/reviews/")
    page.keyboard.press("n")
    page.wait_for_url("**/reviews/new/")
    page.get_by_label("Name").first.fill("Check")
    page.get_by_label("Words of the case or challenge").fill("case")
    page.get_by_label("Words of the case or challenge").press("Tab")
    expect(page.get_by_text("3 trials match before any draw.")).to_be_visible()
    check_page(page)
    page.get_by_role("button", name="Make the queue").click()
    page.wait_for_url(re.compile(r"/reviews/queues/\d+/"))
    check_page(page)
    page.keyboard.press("f")
    for answer in ("1", "0", "1"):
        page.wait_for_url(re.compile(r"/reviews/\d+/\?queue="))
        before = page.url
        page.wait_for_load_state()
        page.keyboard.press(answer)
        page.keyboard.press("Enter")
        expect(page).not_to_have_url(before)
    page.wait_for_url(re.compile(r"/reviews/queues/\d+/"))
    expect(page.get_by_text("3 of 3 trials have all their reviews")).to_be_visible()
    assert [said.scores["Is the answer right?"] for said in Review.objects.order_by("pk")] == [1, 0, 1]
    assert errors == []


def test_the_next_trial_is_there_without_another_page_and_goes_back(open_as, run, team, administrator, errors):
    queue = queue_of(run, administrator, RIGHT, {"name": "Note", "kind": "text"})
    first, second, third = asked_in(queue)
    page = open_as(client_of(reviewer(team, "ada")), f"/reviews/{first.pk}/?queue={queue.pk}")
    page.evaluate("window.sameScripts = true")
    for asked, following, done in ((first, second, 1), (second, third, 2)):
        page.get_by_label("Note").fill(f"About {asked.pk}")
        page.get_by_label("Yes").check()
        page.get_by_role("button", name="Give this review").click()
        expect(page).to_have_url(re.compile(f"/reviews/{following.pk}/"))
        expect(page.get_by_text(f"{done} of 3 trials have all their reviews · {3 - done} waiting")).to_be_visible()
        expect(page.get_by_role("navigation", name="Breadcrumb")).to_contain_text(following.trial.case_key)
        expect(page.get_by_label("Note")).to_have_value("")
    assert page.evaluate("window.sameScripts")
    notes = [said.scores["Note"] for said in Review.objects.order_by("pk")]
    assert notes == [f"About {first.pk}", f"About {second.pk}"]
    # Nothing of what was kept is offered again, and an earlier page is drawn anew.
    page.go_back()
    expect(page.get_by_role("heading", name="Reviews", exact=True)).to_be_visible()
    expect(page.get_by_text("This was not saved")).to_have_count(0)
    assert errors == []


def test_a_review_that_is_refused_stays_on_the_page_with_the_reason(open_as, run, team, administrator, errors):
    queue = queue_of(run, administrator, RIGHT, {"name": "Note", "kind": "text"})
    first, *_ = asked_in(queue)
    page = open_as(client_of(reviewer(team, "ada")), f"/reviews/{first.pk}/?queue={queue.pk}")
    page.get_by_label("Note").fill("Nobody has this yet.")
    page.get_by_label("Yes").check()
    close_queue(queue)
    page.get_by_role("button", name="Give this review").click()
    expect(page.get_by_text("This trial takes no more reviews.")).to_be_visible()
    expect(page.get_by_text("Nobody has this yet.")).to_be_visible()
    assert not Review.objects.exists()


def test_a_selected_passage_is_quoted_and_a_trial_skipped_by_keys(open_as, run, team, administrator, errors):
    queue = queue_of(run, administrator, RIGHT, PASSAGES)
    first, second, _ = asked_in(queue)
    page = open_as(client_of(reviewer(team, "ada")), f"/reviews/queues/{queue.pk}/")
    page.keyboard.press("f")
    page.wait_for_url(f"**/reviews/{first.pk}/?queue={queue.pk}")
    page.wait_for_load_state()
    page.evaluate("getSelection().selectAllChildren(document.querySelector('[data-answer]'))")
    page.keyboard.press("q")
    expect(page.get_by_label("Wrong words")).to_have_value("It is at the hub.")
    check_page(page)
    page.keyboard.press("0")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(f"**/reviews/{second.pk}/?queue={queue.pk}")
    assert Review.objects.get().scores["Wrong words"] == [{"start": 0, "end": 17, "text": "It is at the hub."}]
    page.wait_for_load_state()
    page.keyboard.press("u")
    page.get_by_label("Why do you skip it?").fill("I wrote this case.")
    page.keyboard.press("Control+Enter")
    expect(page).not_to_have_url(re.compile(f"/reviews/{second.pk}/"))
    assert second.claims.get().reason == "I wrote this case."
    assert errors == []
