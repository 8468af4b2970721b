import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from runs.models import ReviewRequest
from tests.runs.queues import asked_in, begin_run, queue_of

pytestmark = pytest.mark.django_db


def test_a_trial_waits_once_in_a_queue_and_for_each_grader_beside_it(team, author):
    queue = queue_of(begin_run(team, author, cases=1), author)
    asked = asked_in(queue)[0]
    assert str(asked).startswith("Check of ")
    with pytest.raises(IntegrityError), transaction.atomic():
        ReviewRequest.objects.create(trial=asked.trial, queue=queue, asked_at=timezone.now())
    ReviewRequest.objects.create(trial=asked.trial, grader_key="taste", asked_at=timezone.now())
    other = queue_of(queue.run, author, name="Other")
    assert asked_in(other)[0].trial == asked.trial
