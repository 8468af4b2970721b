from importlib import import_module

from django.apps import apps

from runs.models import ReviewRequest
from tests.runs.reviews import begin_reviewed, requests_of, reviewed_task


def test_people_are_asked_for_as_many_reviews_as_the_grader_wants(author, team):
    run = begin_reviewed(team, author, reviewed_task(min_reviewers=3))
    assert {request.needed for request in requests_of(run)} == {3}


def test_trials_without_such_a_grader_ask_nobody(author, team):
    from_one = begin_reviewed(team, author, reviewed_task(type="string_match", patterns=["done"]))
    assert requests_of(from_one) == []


def test_what_waited_before_there_were_requests_is_asked_for(author, team):
    run = begin_reviewed(team, author, reviewed_task(min_reviewers=2))
    before = len(requests_of(run))
    ReviewRequest.objects.all().delete()
    import_module("runs.migrations.0014_reviews").ask_for_what_waits(apps, None)
    assert [request.needed for request in requests_of(run)] == [2] * before
