import pytest
from django.urls import reverse

from runs.launch.launching import launch
from runs.models import Trial, TrialStatus
from runs.views.results.troubles import troubles_of
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(team, author, agents):
    version = publish_text(team, author, pack_text({"default": 4}))
    return work_off(launch(author, version, [agents["empty"], agents["reference"]]))


def spoil(run, position, text, fault="machine"):
    rows = Trial.objects.filter(run=run, case_position=position)
    rows.update(status=TrialStatus.ERROR, fault=fault, error=text)


def test_errors_of_one_reason_are_told_once_with_how_many_trials_they_broken(run):
    spoil(run, 1, "no judge\nanswers")
    spoil(run, 2, "no judge\nanswers")
    spoil(run, 3, "no gold answer", fault="pack")
    first, second, *failures = troubles_of(run)
    assert (first.reason, first.trials, list(first.cases)) == ("no judge answers", 4, ["case-0001", "case-0002"])
    assert (second.reason, second.trials, second.first.fault) == ("no gold answer", 2, "pack")
    assert [(one.first.case_key, list(one.agents), one.reason) for one in failures] == [("case-0000", ["empty"], "")]


def test_a_failure_names_the_first_grader_that_it_failed_and_why(as_author, run):
    failure = troubles_of(run)[0]
    first = failure.first.grades.filter(verdict="fail").first()
    assert failure.failed == f"{first.key}: {first.reason}"
    failure.first.grades.update(reason="not <b>found</b>")
    page = as_author.get(reverse("runs:show", args=[run.pk])).content.decode()
    assert f"{first.key}: not &lt;b&gt;found" in page


def test_what_went_wrong_leads_to_the_first_trial_of_each_reason(as_author, run):
    spoil(run, 0, "<b>no judge</b>")
    page = as_author.get(reverse("runs:show", args=[run.pk])).content.decode()
    assert "&lt;b&gt;no judge" in page
    for trouble in troubles_of(run):
        assert f'href="{reverse("runs:trial", args=[trouble.first.pk])}"' in page


def test_a_run_in_which_all_went_well_lists_nothing(run):
    Trial.objects.filter(run=run).update(status=TrialStatus.PASSED)
    assert troubles_of(run) == []


def test_what_nobody_could_decide_is_told_with_its_reason(run):
    Trial.objects.filter(run=run, case_position=1).update(status=TrialStatus.UNDECIDED, error="judge 'tone' is missing")
    first, *failures = troubles_of(run)
    assert (first.reason, first.trials, first.is_unjudged) == ("judge 'tone' is missing", 2, True)
    assert {one.first.status for one in failures} == {TrialStatus.FAILED}


def test_errors_after_many_failures_are_told_all_the_same(run, monkeypatch):
    monkeypatch.setattr("runs.views.results.troubles.READ", 2)
    Trial.objects.filter(run=run).update(status=TrialStatus.FAILED)
    spoil(run, 3, "no judge answers")
    assert troubles_of(run)[0].reason == "no judge answers"
