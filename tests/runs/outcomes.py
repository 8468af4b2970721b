"""Runs whose trials end as a test says."""

from collections import Counter

from runs.launch.launching import Options, launch
from runs.models import Agent, Run, Trial
from tests.runs.working import work_off

STATES = {"p": "passed", "f": "failed", "u": "undecided", "e": "error"}


def run_with(team, user, version, ends, **columns):
    """A run whose trials end so: `ends` maps names of agents to one text a case, with a letter of STATES a trial.

    Columns are set on every trial. Cases are in the order of the version.
    """
    entered = [Agent.objects.get_or_create(team=team, name=name, defaults={"kind": "echo"})[0] for name in ends]
    trials = max(len(letters) for cases in ends.values() for letters in cases)
    run = work_off(launch(user, version, entered, Options(trials=trials)))
    end_as(run, ends, **columns)
    return Run.objects.get(pk=run.pk)


def end_as(run, ends, **columns):
    """Give the trials of a run these ends."""
    rows = list(Trial.objects.filter(run=run).select_related("run_agent"))
    places = {at: place for place, at in enumerate(sorted({row.case_position for row in rows}))}
    for row in rows:
        row.status = STATES[ends[row.run_agent.name][places[row.case_position]][row.number - 1]]
        row.score = {"passed": 1.0, "failed": 0.0}.get(row.status)
        for name, value in columns.items():
            setattr(row, name, value)
    Trial.objects.bulk_update(rows, ["status", "score", *columns])
    run.counts = dict(Counter(row.status for row in rows))
    run.save(update_fields=["counts"])
