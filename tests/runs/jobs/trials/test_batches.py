import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from runs.engine.limiter import Limiter
from runs.jobs.queue.leases import claim, new_mark, release_lost
from runs.jobs.trials.batches import Batch, site_of
from runs.jobs.trials.execution import Shift
from runs.jobs.trials.saving import Ledger
from runs.launch.launching import launch
from runs.models import Run, RunAgent

pytestmark = pytest.mark.django_db


def run_claimed(run):
    ledger = Ledger(new_mark())
    trials = claim(run, 10, ledger.mark)
    batch = Batch(run, trials, ledger, lambda: False, Limiter(1))
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


def away(execute, sql, params, many, context):
    """The database does not answer who reads versions."""
    if 'FROM "packs_packversion"' in sql:
        raise OperationalError("the server closed the connection")
    return execute(sql, params, many, context)


def test_a_database_that_is_away_while_trials_are_prepared_makes_no_errors_of_them(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    ledger = Ledger(new_mark())
    trials = claim(run, 10, ledger.mark)
    with connection.execute_wrapper(away), pytest.raises(OperationalError):
        Batch(run, trials, ledger, lambda: False, Limiter(1))
    assert set(run.trials.values_list("status", flat=True)) == {"running"}
    run.trials.update(lease_until=timezone.now())
    assert release_lost() == 3
    Shift(threads=1).work(run)
    assert run.trials.filter(status="passed").count() == 3


def test_workspaces_are_made_from_what_the_administrator_allows(settings):
    settings.WORKSPACE_SOURCES = ["/srv/repositories"]
    site = site_of(Run(pk=7))
    assert (site.run_key, site.sources) == ("run-7", ("/srv/repositories",))
