"""A person overrules a grader of a trial, and takes it back."""

import pytest

from runs.jobs.scores.overruling import OverruleRefused, Wanted, overrule
from runs.jobs.scores.rescoring import rescore
from runs.models import Event, Run, Trial
from runs.results.rescoring import ask_rescore
from tests.runs.queues import begin_run
from tests.runs.tallied import check_trial_counts

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(team, author):
    return begin_run(team, author, answer="It is lost.")


def state_of(run):
    """What the run says, after the counts that the database keeps were compared with a recount."""
    check_trial_counts(run)
    run.refresh_from_db()
    agent = run.agents.get()
    return run.counts, run.trial_shares.pass_rate, agent.summary["passed"]


def test_a_verdict_of_a_person_counts_everywhere_until_it_is_taken_back(run, author):
    trial = run.trials.order_by("pk").first()
    key = trial.grades.get().key
    assert state_of(run) == ({"failed": 4}, 0.0, 0)
    overrule(trial, author, Wanted(key, "pass", "Lost is where it is."))
    trial.refresh_from_db()
    grade = trial.grades.get()
    assert (trial.status, trial.score, grade.verdict, grade.reason) == ("passed", 1.0, "pass", "Lost is where it is.")
    assert state_of(run) == ({"passed": 1, "failed": 3}, 0.25, 1)
    assert trial.scorecard["validator_details"][0]["evidence"]["overruled"]["by"] == author.username
    overrule(trial, author, Wanted(key, "", "I was wrong."))
    assert state_of(run) == ({"failed": 4}, 0.0, 0)
    assert Event.objects.filter(trial=trial, event_type="grader.verdict.overruled").count() == 2


def test_a_rescore_reads_what_people_said(run, author):
    trial = run.trials.order_by("pk").first()
    overrule(trial, author, Wanted(trial.grades.get().key, "pass", "Fine."))
    row = ask_rescore(run, author)
    rescore(row)
    result = row.results.get(trial=trial)
    assert (result.status, result.has_changed) == ("passed", False)


@pytest.mark.parametrize(
    ("verdict", "reason", "key", "code"),
    [
        ("pass", " ", None, "no_reason"),
        ("maybe", "x", None, "invalid_verdict"),
        ("pass", "x", "nobody", "unknown_grader"),
        ("", "", None, "not_overruled"),
    ],
)
def test_what_cannot_count_is_refused(run, author, verdict, reason, key, code):
    trial = run.trials.first()
    with pytest.raises(OverruleRefused) as refused:
        overrule(trial, author, Wanted(key or trial.grades.get().key, verdict, reason))
    assert refused.value.code == code
    Run.objects.filter(pk=run.pk).update(status="scoring")
    with pytest.raises(OverruleRefused):
        overrule(trial, author, Wanted(trial.grades.get().key, "pass", "Fine."))
    assert Trial.objects.filter(run=run, status="passed").count() == 0
