import pytest

from runs.jobs.scores.reviewing import review
from tests.runs.reviews import begin_reviewed, requests_of, reviewed_task, reviewer, scores

pytestmark = pytest.mark.django_db


def test_agreement_is_told_by_aspect_and_by_two_people(as_author, team, author):
    run = begin_reviewed(team, author, reviewed_task(min_reviewers=3))
    request = requests_of(run)[0]
    for name, said in (("ada", scores(4, 4)), ("bob", scores(4, 1)), ("cleo", scores(4, 1))):
        review(request, reviewer(team, name), said)
    told = as_author.get(f"/api/v1/runs/{run.pk}/agreement/").json()
    assert [(each["aspect"], each["items"], each["people"], each["method"]) for each in told["aspects"]] == [
        (None, 2, 3, "fleiss"),
        ("kindness", 1, 3, "fleiss"),
        ("assertion 1", 1, 3, "fleiss"),
    ]
    assert [(each["between"], each["raw"]) for each in told["people"]] == [
        (["ada", "bob"], 0.5),
        (["ada", "cleo"], 0.5),
        (["bob", "cleo"], 1.0),
    ]
