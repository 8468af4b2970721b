"""How far people agree on the trials of a run."""

import pytest

from runs.jobs.scores.reviewing import review
from runs.jobs.trials.retrying import retry
from runs.models import Trial
from runs.results.agreement import agreement_of
from tests.runs.reviews import begin_reviewed, requests_of, reviewed_task, reviewer, scores

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(team):
    return [reviewer(team, name) for name in ("ada", "bob", "cleo")]


@pytest.fixture
def run(team, author):
    """One task with several trials, each reviewed by two people."""
    return begin_reviewed(team, author, reviewed_task(min_reviewers=2))


def give(request, people, *given):
    for person, said in zip(people, given, strict=False):
        review(request, person, said)


def test_agreement_is_told_of_each_aspect_and_of_all_together(run, people):
    first, second, *_ = requests_of(run)
    give(first, people, scores(4, 4), scores(4, 0))
    give(second, people, scores(1, 2), scores(1, 2))
    found = agreement_of(run)
    told = {key: (each.items, each.raw, each.method) for (_, key), each in found.aspects.items()}
    assert told == {"": (4, 0.75, "cohen"), "kindness": (2, 1.0, "cohen"), "assertion 1": (2, 0.5, "cohen")}
    assert found.aspects["human_review", "kindness"].kappa == 1
    assert (found.trials, list(found.people)) == (2, [("ada", "bob")])


def test_trials_of_which_people_differ_lead_to_their_reviews(run, people):
    first, second, *_ = requests_of(run)
    give(first, people, scores(3, 4), scores(4, 4))
    give(second, people, scores(4, 4), scores(0, 3))
    disputes = agreement_of(run).disputes
    assert [(each.request, each.spread) for each in disputes] == [(second, 4), (first, 1)]
    assert disputes[1].aspects == {"kindness": {"ada": 3, "bob": 4}}


def test_nothing_is_told_before_enough_people_reviewed_a_trial(run, people):
    give(requests_of(run)[0], people, scores(4, 4))
    found = agreement_of(run)
    assert (found.trials, found.aspects, found.disputes) == (0, {}, [])


def test_one_review_of_a_trial_is_no_agreement(team, author, people):
    run = begin_reviewed(team, author)
    give(requests_of(run)[0], people[:1], scores())
    assert agreement_of(run).trials == 0


def test_of_a_trial_that_was_tried_again_the_newest_try_counts(run, people):
    request = requests_of(run)[0]
    give(request, people, scores(), scores())
    assert agreement_of(run).trials == 1
    Trial.objects.filter(pk=request.trial_id).update(status="error")
    retry(run, "errors")
    assert agreement_of(run).trials == 0
