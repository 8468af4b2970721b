"""Three reviewers take a queue to an agreement table and an adjudicated gold, by keys alone."""

import re

import pytest
from playwright.sync_api import expect

from runs.results.labels import gold_of
from tests.browser.test_review_queues import check_page
from tests.people import client_of
from tests.runs.queues import asked_in, begin_run, queue_of
from tests.runs.reviews import reviewer

pytestmark = pytest.mark.browser


def work_through(page, answers):
    """Give each trial of the queue one answer, which are two keys."""
    page.keyboard.press("f")
    for answer in answers:
        page.wait_for_url(re.compile(r"/reviews/\d+/"))
        before = page.url
        page.wait_for_load_state()
        page.keyboard.press(answer)
        page.keyboard.press("Enter")
        expect(page).not_to_have_url(before)
    page.wait_for_url(re.compile(r"/reviews/queues/\d+/"))
    page.wait_for_load_state()


def test_three_reviewers_take_a_queue_to_an_agreement_table_and_an_adjudicated_gold(
    open_as, transactional_db, team, administrator, errors
):
    run = begin_run(team, administrator, cases=3)
    people = {reviewer(team, name): said for name, said in (("ada", "110"), ("bob", "100"), ("cleo", "110"))}
    queue = queue_of(run, administrator, needed=3, people={person.pk: 1 for person in people})
    for person, answers in people.items():
        work_through(open_as(client_of(person), f"/reviews/queues/{queue.pk}/"), answers)
    first, second, third = (asked.trial_id for asked in asked_in(queue))
    assert {trial: said.how for trial, said in gold_of(run).items()} == {
        first: "agreed",
        second: "majority",
        third: "agreed",
    }
    page = open_as(client_of(administrator), f"/reviews/queues/{queue.pk}/")
    work_through(page, "0")
    gold = gold_of(run)[second]
    assert (gold.passes, gold.how, gold.people) == (False, "adjudicated", 3)
    page.goto(page.url.split("/reviews/")[0] + f"/runs/{run.pk}/reviews/")
    row = page.get_by_role("table", name="Agreement").get_by_role("row", name="Right?")
    expect(row).to_contain_text("0.55")
    expect(page.get_by_role("table", name="What people say").get_by_role("row", name="adjudicated")).to_have_count(1)
    check_page(page)
    page.goto(page.url.split("/runs/")[0] + f"/reviews/{asked_in(queue)[1].pk}/")
    check_page(page)
    assert errors == []
