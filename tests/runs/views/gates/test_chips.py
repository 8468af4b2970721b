import pytest
from django.urls import reverse

from runs.jobs.gating.checks import judge, keep
from runs.jobs.trials.retrying import retry
from runs.views.gates.chips import gate_chips
from tests.runs.gated import gated_run, publish_suites
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(team, author):
    return gated_run(author, publish_suites(team, author), capital_1="Madrid")


def test_the_page_of_a_run_leads_to_the_latest_verdict_of_each_gate(as_author, run):
    keep(judge(run, "ci_merge_gate", section={"fail_on": []}))
    latest, nightly = keep(judge(run, "ci_merge_gate")), keep(judge(run, "nightly"))
    shown = as_author.get(reverse("runs:show", args=[run.pk])).content.decode()
    for check in (latest, nightly):
        assert reverse("runs:gate-check", args=[check.pk]) in shown
    assert [found.check for found in gate_chips(run)] == [latest, nightly]


def test_a_verdict_of_before_the_run_went_on_is_marked(run):
    keep(judge(run, "ci_merge_gate"))
    retry(run, "failed")
    assert [found.is_outdated for found in gate_chips(work_off(run))] == [True]


def test_a_run_that_no_gate_was_asked_of_shows_none(as_author, team, author):
    run = gated_run(author, publish_suites(team, author))
    assert b'id="gate-chips"' not in as_author.get(reverse("runs:show", args=[run.pk])).content
