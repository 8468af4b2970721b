"""Who has which trial of those that wait for people."""

from datetime import timedelta

import pytest

from runs.jobs.scores.claiming import claim, skip
from runs.jobs.scores.reviewing import ReviewRefused, review
from runs.models import ReviewClaim, ReviewRequest
from runs.views.reviews.reviews import open_for
from tests.runs.queues import asked_in, begin_run, queue_of
from tests.runs.reviews import reviewer

pytestmark = pytest.mark.django_db
YES = {"Right?": 1}


@pytest.fixture
def run(team, author):
    return begin_run(team, author, cases=2)


@pytest.fixture
def people(team):
    return [reviewer(team, name) for name in ("ada", "bob", "cleo")]


def waiting_for(person):
    return list(open_for(person).order_by("pk"))


def test_two_people_do_not_take_the_last_place(run, author, people):
    ada, bob, cleo = people
    first, second = asked_in(queue_of(run, author, needed=2))
    assert [claim(first, ada), claim(first, bob), claim(first, cleo), claim(first, ada)] == [True, True, False, True]
    assert [waiting_for(person) for person in people] == [[first, second], [first, second], [second]]


def test_a_place_is_free_again_after_a_while(run, author, people):
    ada, bob, _ = people
    first, second = asked_in(queue_of(run, author))
    claim(first, ada)
    claims = ReviewClaim.objects.filter(request=first)
    claims.update(until=claims.get().until - timedelta(days=1))
    assert waiting_for(bob) == [first, second]
    assert claim(first, bob)
    assert waiting_for(ada) == [second]


def test_who_skips_a_trial_says_why_and_leaves_it_to_others(run, author, people):
    ada, bob, _ = people
    queue = queue_of(run, author, people={ada.pk: 1, bob.pk: 1})
    mine = next(request for request in asked_in(queue) if request.claims.filter(reviewer=ada).exists())
    assert waiting_for(ada) == [mine]
    with pytest.raises(ReviewRefused):
        skip(mine, ada, "  ")
    skip(mine, ada, "I wrote this case.")
    assert waiting_for(ada) == []
    assert mine in waiting_for(bob)
    assert review(mine, ada, YES)
    assert not ReviewClaim.objects.filter(skipped_at__isnull=False).exists()


def test_only_the_people_of_a_queue_review_it(run, author, people):
    ada, bob, cleo = people
    queue = queue_of(run, author, people={ada.pk: 1, bob.pk: 1})
    first = asked_in(queue)[0]
    assert waiting_for(cleo) == []
    with pytest.raises(ReviewRefused) as refused:
        review(first, cleo, YES)
    assert refused.value.code == "not_a_reviewer"
    assert ReviewRequest.objects.waiting().count() == 2
