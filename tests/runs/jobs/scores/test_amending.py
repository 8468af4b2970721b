"""Judging a trial anew after it has ended."""

import pytest

from runs.engine.rescoring import score_again
from runs.jobs.scores.amending import amend, said_by
from runs.jobs.trials.loading import tasks_of
from runs.jobs.trials.saving import LONG_REPLAY
from runs.launch.launching import launch
from runs.models import Replay
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def trial(author, version, agents):
    return work_off(launch(author, version, [agents["echo"]])).trials.first()


def again(trial):
    """Judge the trial once more, and write that down."""
    trial.refresh_from_db()
    events, told = [event.as_event() for event in trial.events.all()], []
    outcome = score_again(tasks_of(trial.run, [trial])[trial.case_id], events, emit=told.append)
    amend(trial, events, told, said_by(outcome))
    trial.refresh_from_db()
    return told


def test_what_is_told_goes_behind_the_events_and_the_newest_grades_count(trial):
    before = list(trial.events.values_list("sequence", "event_type"))
    grade = trial.grades.get()
    told = again(trial)
    assert list(trial.events.values_list("sequence", "event_type"))[: len(before)] == before
    assert trial.event_count == trial.events.count() == len(before) + len(told)
    assert trial.grades.get().pk != grade.pk
    assert (trial.grades.get().key, trial.grades.get().score) == (grade.key, grade.score)


def test_a_replay_that_grows_long_gets_an_index(trial):
    while trial.event_count < LONG_REPLAY:
        assert not Replay.objects.exists()
        again(trial)
    assert Replay.objects.get().trial_id == trial.pk
