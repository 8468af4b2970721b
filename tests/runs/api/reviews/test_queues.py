"""Review queues over the API."""

import pytest

from runs.models import ReviewQueue
from tests.people import client_of
from tests.runs.queues import asked_in, begin_run, queue_of
from tests.runs.reviews import reviewer

ASPECTS = [{"name": "Right?", "passing": ["yes"]}, {"name": "Note", "kind": "text"}]


@pytest.fixture
def run(team, author):
    return begin_run(team, author)


def post(client, address, data=None):
    return client.post(f"/api/v1/{address}", data or {}, content_type="application/json")


def codes(response):
    return [finding["code"] for finding in response.json()["findings"]]


def test_a_queue_is_made_taken_from_and_seen_through_to_its_end(run, team, as_author):
    ada = client_of(reviewer(team, "ada"))
    wanted = {"name": "Check", "aspects": ASPECTS, "trials": {"sample": 2}, "people": {"ada": 1}}
    made = post(as_author, f"runs/{run.pk}/review-queues/", wanted)
    assert made.status_code == 201
    pk = made.json()["id"]
    assert [aspect["kind"] for aspect in made.json()["aspects"]] == ["yes_no", "text"]
    assert [row["id"] for row in as_author.get(f"/api/v1/runs/{run.pk}/review-queues/").json()["results"]] == [pk]
    assert post(as_author, f"review-queues/{pk}/next/").status_code == 204
    first = post(ada, f"review-queues/{pk}/next/").json()
    assert first["queue"] == pk
    given = post(ada, f"reviews/{first['id']}/review/", {"scores": {"Right?": True, "Note": "Good."}}).json()
    assert (given["state"], given["review"]["scores"]) == ("settled", {"Right?": 1, "Note": "Good."})
    second = post(ada, f"review-queues/{pk}/next/").json()
    assert post(ada, f"reviews/{second['id']}/skip/", {"reason": "I wrote it."}).status_code == 200
    people = as_author.get(f"/api/v1/review-queues/{pk}/").json()["progress"]["people"]
    assert people == {"ada": {"given": 1, "left": 0, "skipped": 1}}
    closed = post(as_author, f"review-queues/{pk}/close/").json()
    assert (closed["progress"]["settled"], closed["progress"]["trials"]) == (1, 1)


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"aspects": [{"name": "a", "kind": "label"}]}, "api.invalid_rubric"),
        ({"trials": {"case": "nowhere"}}, "api.invalid_queue"),
        ({"people": {"nobody-here": 1}}, "api.invalid_queue"),
    ],
)
def test_a_queue_that_nobody_could_review_is_refused(run, as_author, wanted, code):
    response = post(as_author, f"runs/{run.pk}/review-queues/", {"name": "Check", "aspects": ASPECTS, **wanted})
    assert (response.status_code, codes(response)) == (422, [code])
    assert not ReviewQueue.objects.exists()


def test_requests_are_narrowed_to_a_queue_and_scores_have_to_fit(run, author, as_author):
    queue = queue_of(run, author, sample=1)
    queue_of(run, author, name="Other")
    listed = as_author.get("/api/v1/reviews/", {"queue": queue.pk}).json()["results"]
    asked = asked_in(queue)[0]
    assert [row["id"] for row in listed] == [asked.pk]
    wrong = post(as_author, f"reviews/{asked.pk}/review/", {"scores": {"Right?": 7}})
    assert (wrong.status_code, codes(wrong)) == (422, ["api.invalid_scores"])
    assert post(as_author, f"reviews/{asked.pk}/skip/", {"reason": " "}).status_code == 400
