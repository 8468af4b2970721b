import pytest
from django.urls import reverse

from packs.access import Role
from runs.jobs.scores.reviewing import review
from runs.models import Adjudication
from tests.people import client_of, make_member
from tests.runs.queues import asked_in, begin_run, queue_of
from tests.runs.reviews import reviewer


@pytest.fixture
def queue(team, author):
    """Two trials on which two people differ."""
    made = queue_of(begin_run(team, author, cases=2), author, needed=2)
    people = [reviewer(team, name) for name in ("ada", "bob")]
    for asked in asked_in(made):
        for value, person in enumerate(people):
            review(asked, person, {"Right?": value})
    return made


def test_a_curator_decides_one_after_the_other_and_readers_see_it(queue, team, as_author):
    first, second = asked_in(queue)
    curator = client_of(make_member(team, Role.CURATOR))
    dispute = reverse("runs:queue-dispute", args=[queue.pk])
    assert curator.get(reverse("runs:queue", args=[queue.pk])).context["disputed"] == 2
    assert curator.get(dispute).url == reverse("runs:review", args=[first.pk])
    decide = reverse("runs:review-adjudicate", args=[first.pk])
    assert decide in curator.get(reverse("runs:review", args=[first.pk])).content.decode()
    assert decide not in as_author.get(reverse("runs:review", args=[first.pk])).content.decode()
    assert as_author.post(decide, {"score:Right?": "1"}).status_code == 403
    assert curator.post(decide, {}).status_code == 422
    assert curator.post(decide, {"score:Right?": "0", "comment": "Wrong hub."}).url == dispute
    assert curator.get(dispute).url == reverse("runs:review", args=[second.pk])
    assert Adjudication.objects.get().scores == {"Right?": 0}
    assert "Wrong hub." in as_author.get(reverse("runs:review", args=[first.pk])).content.decode()
    gold = as_author.get(f"/api/v1/runs/{queue.run_id}/gold/").json()["trials"]
    assert [(each["passes"], each["how"]) for each in gold] == [(False, "adjudicated")]
    assert [said.how for _, said in as_author.get(reverse("runs:agreement", args=[queue.run_id])).context["gold"]] == [
        "adjudicated"
    ]
