import pytest

from runs.models import Trial
from runs.results.filtering import with_words
from tests.runs.queues import begin_run

pytestmark = pytest.mark.django_db


def test_each_word_has_to_stand_in_the_case_or_its_challenge(team, author):
    run = begin_run(team, author)
    trials = Trial.objects.filter(run=run)
    one = trials.order_by("pk")[1]
    assert list(with_words(trials, f"{one.case_key.upper()} {one.challenge_key}")) == [one]
    assert not with_words(trials, f"{one.case_key} nowhere").exists()
    assert with_words(trials, "").count() == 4
