import pytest

from runs.engine.events import OVERRULED
from runs.jobs.scores.rejudging import judge_anew
from runs.jobs.trials.loading import tasks_of
from runs.models import Event
from tests.runs.queues import begin_run

pytestmark = pytest.mark.django_db


def test_a_trial_without_an_end_is_not_judged_and_nothing_is_written(team, author):
    trial = begin_run(team, author, cases=1).trials.get()
    Event.objects.filter(trial=trial, event_type__startswith="system.run").delete()
    before = Event.objects.filter(trial=trial).count()
    task = tasks_of(trial.run, [trial])[trial.case_id]
    assert not judge_anew(trial, task, OVERRULED, {"validator_key": "any", "verdict": "fail"})
    assert Event.objects.filter(trial=trial).count() == before
