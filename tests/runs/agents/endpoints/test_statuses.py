import pytest

from runs.agents.endpoints.contract import Trouble
from runs.agents.endpoints.statuses import reported_by, trouble_of, trouble_of_error


@pytest.mark.parametrize(
    ("status", "words", "trouble"),
    [
        (200, "", None),
        (204, "insufficient_quota", None),
        (307, "", Trouble.REDIRECTED),
        (400, "temperature must be 1", Trouble.REFUSED),
        (418, "", Trouble.REFUSED),
        (429, "slow down", Trouble.RATE_LIMITED),
        (429, "You exceeded your current quota, check your plan", Trouble.SPENT),
        (403, '{"code": "billing_not_active"}', Trouble.SPENT),
        (400, "This model's maximum context length is 8192 tokens", Trouble.TOO_LONG),
        (404, "The model `gpt-9` does not exist", Trouble.NOT_FOUND),
        (400, "prompt triggered the content management policy", Trouble.FILTERED),
        # A server that breaks is in trouble, whatever it repeats of the request.
        (500, "insufficient_quota", Trouble.SERVER),
        (599, "", Trouble.SERVER),
    ],
)
def test_words_say_more_than_the_status_of_a_refusal(status, words, trouble):
    assert trouble_of(status, words) is trouble


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        ("overloaded", Trouble.SERVER),
        ({"message": "wait", "code": 429}, Trouble.RATE_LIMITED),
        ({"message": "no", "code": 401}, Trouble.AUTHENTICATION),
        ({"code": "model_not_found"}, Trouble.NOT_FOUND),
        ({"code": 200}, Trouble.SERVER),
        (["odd"], Trouble.SERVER),
    ],
)
def test_an_error_with_status_200_is_told_by_its_code(error, trouble):
    assert trouble_of_error({"error": error}) is trouble


def test_words_that_name_nothing_known_say_nothing():
    assert reported_by("out of cheese") is None
