"""What people say of the trials of a run."""

import pytest

from runs.jobs.scores.reviewing import review
from runs.results.labels import gold_of, labels_of
from tests.runs.reviews import begin_reviewed, requests_of, reviewed_task, reviewer, scores

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(team):
    return [reviewer(team, name) for name in ("ada", "bob", "cleo")]


def begin(team, author, needed):
    return begin_reviewed(team, author, reviewed_task(min_reviewers=needed, pass_threshold=3.0))


def give(request, people, *given):
    for person, said in zip(people, given, strict=False):
        review(request, person, said)


def test_each_person_passes_a_trial_by_the_threshold_of_its_grader(team, author, people):
    run = begin(team, author, 2)
    first, second, *_ = requests_of(run)
    give(first, people, scores(4, 2), scores(1, 2))
    review(second, people[0], scores())
    said = {label.person: (label.trial, label.passes, label.score) for label in labels_of(run)}
    assert said == {"ada": (first.trial_id, True, 0.75), "bob": (first.trial_id, False, 0.375)}


def test_gold_is_what_most_people_say_and_none_where_they_are_split(team, author, people):
    run = begin(team, author, 3)
    first, second, *_ = requests_of(run)
    give(first, people, scores(4, 4), scores(4, 2), scores(0, 0))
    give(second, people, scores(0, 0), scores(0, 0), scores(0, 0))
    gold = gold_of(run)
    assert {trial: (each.passes, each.people, each.how) for trial, each in gold.items()} == {
        first.trial_id: (True, 3, "majority"),
        second.trial_id: (False, 3, "agreed"),
    }
    split = begin_reviewed(team, author, reviewed_task(min_reviewers=2), slug="split")
    give(requests_of(split)[0], people, scores(4, 4), scores(0, 0))
    assert gold_of(split) == {}


def test_one_person_alone_is_said_to_be_one(team, author, people):
    run = begin(team, author, 1)
    give(requests_of(run)[0], people[:1], scores(4, 4))
    assert [each.how for each in gold_of(run).values()] == ["single"]
