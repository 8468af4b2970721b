import pytest
from django.urls import reverse

from runs.jobs.scores.reviewing import review
from runs.launch.launching import launch
from tests.runs.reviews import begin_reviewed, requests_of, reviewed_task, reviewer, scores
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def page(client, run):
    return client.get(reverse("runs:agreement", args=[run.pk]))


def test_people_see_where_they_agree_and_where_not(as_author, team, author):
    run = begin_reviewed(team, author, reviewed_task(min_reviewers=2))
    request, *others = requests_of(run)
    shown = page(as_author, run)
    assert (shown.context["asked"], shown.context["waiting"]) == (1 + len(others), 1 + len(others))
    for name, said in (("ada", scores(4, 4)), ("bob", scores(4, 1))):
        review(request, reviewer(team, name), said)
    shown = page(as_author, run)
    assert [found.items for _, found in shown.context["aspects"]] == [2, 1, 1]
    assert shown.context["waiting"] == len(others)
    assert reverse("runs:review", args=[request.pk]) in shown.content.decode()
    told = as_author.get(f"/api/v1/runs/{run.pk}/agreement/").json()
    assert [(each["aspect"], each["items"], each["raw"]) for each in told["aspects"]][0] == (None, 2, 0.5)
    assert told["disputes"][0]["review_request"] == request.pk


def test_a_run_without_reviews_says_so(as_author, author, version, agents):
    assert page(as_author, work_off(launch(author, version, [agents["echo"]]))).context["asked"] == 0
