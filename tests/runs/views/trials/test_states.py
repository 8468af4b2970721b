import pytest
from django.urls import reverse

from runs.launch.launching import launch
from runs.models import Trial, TrialStatus
from runs.models.trials import TRIAL_COST_LIMIT
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(team, author, agents):
    version = publish_text(team, author, pack_text({"default": 4}))
    run = work_off(launch(author, version, [agents["empty"], agents["reference"]]))
    ends = {1: TRIAL_COST_LIMIT, 2: "cancelled"}
    for position, reason in ends.items():
        rows = Trial.objects.filter(run=run, case_position=position)
        rows.update(status=TrialStatus.CANCELLED, stop_reason=reason, score=None)
    run.counts = {"failed": 2, "passed": 2, "cancelled": 4}
    run.save()
    return run


def show(client, run, **query):
    return client.get(reverse("runs:show", args=[run.pk]), query)


def test_what_a_cost_limit_left_out_does_not_count_as_cancelled(as_author, run):
    page = show(as_author, run)
    assert page.context["ends"] == [("Not tried: cost limit", 2), ("Cancelled", 2)]
    assert [card.unjudged for card in page.context["cards"]] == [["1 not tried", "1 cancelled"]] * 2
    assert b"Not tried: cost limit" in page.content


def test_trials_that_were_not_tried_are_found_apart_from_cancelled_ones(as_author, run):
    totals = {facet.label: facet.total for facet in show(as_author, run).context["statuses"]}
    assert totals == {"Passed": 2, "Failed": 2, "Not tried": 2, "Cancelled": 2}
    assert [row.key for row in show(as_author, run, status="not_tried").context["rows"]] == ["case-0001"]
    assert [row.key for row in show(as_author, run, status="cancelled").context["rows"]] == ["case-0002"]


def test_a_run_that_nobody_stopped_speaks_of_neither(as_author, run):
    Trial.objects.filter(run=run, status=TrialStatus.CANCELLED).update(status=TrialStatus.PASSED)
    run.counts = {"failed": 2, "passed": 6}
    run.save()
    page = show(as_author, run)
    assert page.context["ends"] == []
    assert [card.unjudged for card in page.context["cards"]] == [[], []]
