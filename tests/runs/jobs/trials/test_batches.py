import pytest

from runs.jobs.queue.leases import claim, new_mark
from runs.jobs.trials.batches import Batch
from runs.jobs.trials.saving import Ledger
from runs.launch.launching import launch
from runs.models import RunAgent

pytestmark = pytest.mark.django_db


def run_claimed(run):
    ledger = Ledger(new_mark())
    trials = claim(run, 10, ledger.mark)
    batch = Batch(run, trials, ledger, lambda: False)
    for trial in trials:
        batch.run(ledger.open(trial))
    ledger.flush()


def test_claimed_trials_end_with_a_verdict(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    run_claimed(run)
    assert run.trials.filter(status="passed").count() == 3


def test_a_version_that_cannot_be_prepared_ends_its_trials_as_errors_of_the_machine(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    RunAgent.objects.update(kind="gone")
    run_claimed(run)
    assert set(run.trials.values_list("status", "fault")) == {("error", "machine")}
