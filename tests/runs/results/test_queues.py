"""Queues of trials for people to review."""

import pytest

from packs.access import Role
from runs.jobs.scores.claiming import skip
from runs.jobs.scores.reviewing import review
from runs.models import Grade, Trial
from runs.results.causes import causes_of
from runs.results.queues import Choice, QueueRefused, chosen, close_queue, progress_of, queues_of, skips_of
from tests.people import make_member
from tests.runs.queues import asked_in, begin_run, queue_of
from tests.runs.reviews import reviewer

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(team, author):
    return begin_run(team, author)


@pytest.fixture
def people(team):
    return [reviewer(team, name) for name in ("ada", "bob", "cleo")]


def test_a_queue_of_any_format_takes_the_trials_that_filters_mean(run):
    trials = list(run.trials.order_by("pk"))
    first = trials[0]
    Trial.objects.filter(pk=first.pk).update(status="failed")
    Grade.objects.filter(trial=first).update(verdict="fail", reason="It says nothing of the hub.")
    key = first.grades.first().key
    everything = [trial.pk for trial in trials]
    assert chosen(run, Choice()) == everything
    assert chosen(run, Choice(status="failed")) == [first.pk]
    assert chosen(run, Choice(grader=key)) == [first.pk]
    assert chosen(run, Choice(group=causes_of(run.version.pack, [run]).groups[0].digest)) == [first.pk]
    assert chosen(run, Choice(group="unknown")) == []
    assert chosen(run, Choice(case=trials[2].case_key)) == [trials[2].pk]
    assert chosen(run, Choice(agent=first.run_agent_id)) == everything
    assert chosen(run, Choice(agent=0)) == []
    assert [len(chosen(run, Choice(share=50))), len(chosen(run, Choice(sample=3)))] == [2, 3]


def test_trials_are_dealt_by_shares_and_progress_says_what_is_left(run, author, people):
    ada, bob, _ = people
    queue = queue_of(run, author, people={ada.pk: 3, bob.pk: 1})
    assert progress_of(queue).people == {
        "ada": {"given": 0, "left": 3, "skipped": 0},
        "bob": {"given": 0, "left": 1, "skipped": 0},
    }
    own = [request for request in asked_in(queue) if request.claims.filter(reviewer=ada).exists()]
    review(own[0], ada, {"Right?": True})
    skip(own[1], ada, "I wrote this case.")
    found = progress_of(queue)
    assert (found.settled, found.trials) == (1, 4)
    assert found.people["ada"] == {"given": 1, "left": 1, "skipped": 1}
    assert [(each.reviewer, each.reason) for each in skips_of(queue)] == [(ada, "I wrote this case.")]
    listed = queues_of(run).get()
    assert (listed.trials, listed.settled) == (4, 1)


def test_a_closed_queue_waits_for_nobody_and_keeps_what_was_given(run, author, people):
    queue = queue_of(run, author)
    first = asked_in(queue)[0]
    review(first, people[0], {"Right?": True})
    assert close_queue(queue) == 3
    assert (progress_of(queue).settled, progress_of(queue).trials) == (1, 1)


@pytest.mark.parametrize("wrong", [{"name": ""}, {"needed": 0}, {"status": "failed"}, {"people": {0: 1}}])
def test_a_queue_that_nobody_could_review_is_refused(run, author, wrong):
    with pytest.raises(QueueRefused):
        queue_of(run, author, **wrong)


def test_only_people_who_may_review_can_be_named_and_names_stand_once(run, team, author, people):
    viewer = make_member(team, Role.VIEWER)
    with pytest.raises(QueueRefused):
        queue_of(run, author, people={viewer.pk: 1})
    with pytest.raises(QueueRefused):
        queue_of(run, author, needed=2, people={people[0].pk: 1})
    queue_of(run, author)
    with pytest.raises(QueueRefused):
        queue_of(run, author)
