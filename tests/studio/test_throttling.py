"""How many requests a caller may make of the API."""

import pytest

from studio.throttling import MANY, Limiter


def test_callers_are_counted_apart_until_their_window_is_over():
    limiter = Limiter(seconds=60)
    assert [limiter.take("a", 2, now).left for now in (0, 10, 20, 59)] == [1, 0, -1, -1]
    assert limiter.take("b", 2, 20).left == 1
    assert limiter.take("a", 2, 30).seconds == 30
    assert limiter.take("a", 2, 60).left == 1


def test_whose_window_is_over_is_forgotten_where_there_are_many():
    limiter = Limiter(seconds=60)
    for number in range(MANY + 1):
        limiter.take(str(number), 2, 0)
    limiter.take("new", 2, 61)
    assert set(limiter.counts) == {"new"}


@pytest.mark.django_db
def test_more_requests_than_the_limit_are_refused_with_when_to_come_again(as_author, settings):
    settings.API_PER_MINUTE = 2
    answers = [as_author.get("/api/v1/packs/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [answer["X-RateLimit-Remaining"] for answer in answers] == ["1", "0", "0"]
    assert answers[0]["X-RateLimit-Limit"] == "2"
    assert 0 < int(answers[2]["Retry-After"]) <= 60
    assert answers[2].json()["findings"][0]["code"] == "api.throttled"
    settings.API_PER_MINUTE = 0
    assert "X-RateLimit-Limit" not in as_author.get("/api/v1/packs/")
