import pytest

from runs.jobs.batches import MAX_BATCH, next_size, work
from runs.launch import launch
from runs.models import RunAgent

pytestmark = pytest.mark.django_db


def test_batches_grow_until_they_take_as_long_as_a_job_should():
    assert next_size(1, 0.001) == 8
    assert next_size(8, 0.1) == 40
    assert next_size(40, 2.0) == 10
    assert next_size(1, 60.0) == 1
    assert next_size(MAX_BATCH, 0.0001) == MAX_BATCH


def test_work_ends_when_nothing_waits(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    assert work(run, 10) == (10, False)
    assert run.trials.filter(status="passed").count() == 3
    assert work(run, 10) == (10, False)


def test_a_version_that_cannot_be_prepared_ends_its_trials_as_errors_of_the_machine(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    RunAgent.objects.update(kind="gone")
    work(run, 10)
    assert set(run.trials.values_list("status", "fault")) == {("error", "machine")}
