import pytest

from packs.access import Role
from runs.jobs.scores.reviewing import review
from tests.people import make_member
from tests.runs.reviews import begin_reviewed, requests_of, reviewed_task, scores

LIST = "/api/v1/reviews/"


@pytest.fixture
def run(author, team):
    return begin_reviewed(team, author, reviewed_task(min_reviewers=2))


def give(client, asked, data):
    return client.post(f"{LIST}{asked.pk}/review/", data, content_type="application/json")


def codes(response):
    return [finding["code"] for finding in response.json()["findings"]]


def test_what_waits_is_listed_and_shown_with_what_is_to_be_scored(run, as_author):
    asked = requests_of(run)[0]
    listed = as_author.get(LIST, {"run": run.pk}).json()["results"]
    assert [row["id"] for row in listed] == [request.pk for request in requests_of(run)]
    assert (listed[0]["needed"], listed[0]["given"], listed[0]["is_mine"]) == (2, 0, False)
    shown = as_author.get(f"{LIST}{asked.pk}/").json()
    assert [aspect["key"] for aspect in shown["aspects"]] == ["kindness", "assertion 1"]
    assert (shown["review"], shown["others"]) == (None, [])


def test_reviews_are_blind_and_the_last_one_settles(run, team, as_author):
    asked = requests_of(run)[0]
    review(asked, make_member(team, Role.REVIEWER), scores(0, 0))
    assert as_author.get(f"{LIST}{asked.pk}/").json()["others"] == []
    given = give(as_author, asked, {"scores": scores(), "comment": "Fine."}).json()
    assert (given["state"], given["review"]["score"]) == ("settled", 4)
    assert [other["reviewer"] for other in given["others"]] == ["reviewer-default"]
    late = give(as_author, asked, {"scores": scores()})
    assert (late.status_code, codes(late)) == (409, ["api.review_closed"])
    assert asked.pk not in [row["id"] for row in as_author.get(LIST).json()["results"]]


def test_what_one_has_reviewed_is_listed_only_when_asked_for(run, author, as_author):
    review(requests_of(run)[0], author, scores())
    assert len(as_author.get(LIST).json()["results"]) == 4
    assert len(as_author.get(LIST, {"show": "all"}).json()["results"]) == 5


@pytest.mark.parametrize(
    ("data", "status"), [({}, 400), ({"scores": {"kindness": 9}}, 422), ({"scores": {"kindness": 4}}, 422)]
)
def test_scores_that_do_not_fit_are_refused(run, as_author, data, status):
    assert give(as_author, requests_of(run)[0], data).status_code == status
