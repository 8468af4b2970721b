"""Runs whose trials ended by chance, for tests of what many results look like."""

import random
from collections import Counter

from runs.launch.launching import Options, launch
from runs.models import Agent, Trial
from tests.runs.working import work_off


def noisy_run(team, user, version, agents=3, trials=4, seed=5, **chosen):
    """A run of agents that answer alike, whose trials then pass, fail, or end undecided or in an error by chance."""
    entered = [
        Agent.objects.get_or_create(team=team, name=f"agent {number}", defaults={"kind": "echo"})[0]
        for number in range(agents)
    ]
    run = work_off(launch(user, version, entered, Options(trials=trials, **chosen)))
    scatter(run, random.Random(seed))
    return run


def scatter(run, rng):
    """Give the trials of a run other ends, scores, times and costs, and count them."""
    trials = list(Trial.objects.filter(run=run))
    for trial in trials:
        trial.status = rng.choices(["passed", "failed", "undecided", "error"], [6, 4, 1, 1])[0]
        trial.score = {"passed": 1.0, "failed": round(rng.random() / 2, 2)}.get(trial.status)
        trial.seconds = rng.lognormvariate(1, 0.5)
        trial.cost_usd = rng.lognormvariate(-5, 0.5)
        trial.total_tokens = rng.randrange(100, 3000)
    Trial.objects.bulk_update(trials, ["status", "score", "seconds", "cost_usd", "total_tokens"])
    run.counts = dict(Counter(trial.status for trial in trials))
    run.save(update_fields=["counts"])
