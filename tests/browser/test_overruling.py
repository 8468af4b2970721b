"""A person overrules a grader on the page of a trial, and takes that back."""

import re

import pytest
from playwright.sync_api import expect

from runs.models import Event
from tests.browser.test_review_queues import check_page
from tests.people import client_of
from tests.runs.queues import begin_run

pytestmark = pytest.mark.browser


def test_a_grader_is_overruled_with_a_reason_counts_in_the_run_and_is_taken_back(
    open_as, transactional_db, team, administrator, errors
):
    run = begin_run(team, administrator, cases=2, answer="It is lost.")
    trial = run.trials.order_by("pk").first()
    page = open_as(client_of(administrator), f"/runs/trials/{trial.pk}/")
    page.locator("summary", has_text="Overrule").click()
    page.get_by_role("radio", name="Pass").check()
    page.get_by_role("textbox", name="Why").fill("Lost is where it is.")
    check_page(page)
    page.get_by_role("button", name="Overrule").click()
    expect(page.get_by_text("The trial was judged again with it.")).to_be_visible()
    note = page.get_by_text(f"Overruled by {administrator.username}: Lost is where it is.")
    expect(note.first).to_contain_text("It said fail")
    check_page(page)
    trial.refresh_from_db()
    assert trial.status == "passed"
    page.goto(page.url.split("/trials/")[0] + f"/{run.pk}/")
    expect(page.get_by_role("row", name=re.compile(f"{trial.case_key}.* 1 of 1 Passed"))).to_be_visible()
    page.go_back()
    page.locator("summary", has_text="Overrule again, or take it back").click()
    page.get_by_role("radio", name="What it said itself").check()
    page.get_by_role("button", name="Overrule").click()
    expect(page.get_by_text("The trial was judged again with it.")).to_be_visible()
    expect(note).to_have_count(0)
    trial.refresh_from_db()
    assert trial.status == "failed"
    assert Event.objects.filter(trial=trial, event_type="grader.verdict.overruled").count() == 2
    assert errors == []
