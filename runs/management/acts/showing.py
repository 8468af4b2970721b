"""`manage.py run show`, and how every command shows a run."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from typing import Any

from django.core.management import BaseCommand

from packs.formats.registry import Registry
from packs.management.answers import say, say_json
from runs.management import FINE
from runs.management.acts import Act, Given, add_id, add_json
from runs.management.lookup import find_run
from runs.models import FINAL_STATUSES, Run, TrialStatus
from runs.models.runs import ALL_SETS
from runs.models.trial_counts import trial_counts_of
from runs.statistics.shares import shares_of

# Loaded for `--json` only.
DOCUMENTS: Mapping[str, Callable[[Run], Any]] = Registry("runs.results", {"run": "exporting:run_document"})


def add_arguments(parser: ArgumentParser) -> None:
    add_id(parser)
    add_json(parser)


def show(command: BaseCommand, options: Given) -> int:
    describe(command, find_run(options["id"]), options)
    return FINE


def describe(command: BaseCommand, run: Run, options: Given) -> None:
    if options["json"]:
        say_json(command, DOCUMENTS["run"](run))
        return
    say_headline(command, run)
    for trial in run.trials.exclude(status=TrialStatus.PASSED).filter(status__in=FINAL_STATUSES)[:20]:
        say(command, f"  {trial.status}: {trial} {trial.error}".rstrip())


def say_headline(command: BaseCommand, run: Run) -> None:
    """What was run, how far it is, and what each agent reached."""
    chosen = f", input set {run.input_set.key} ({run.selection})" if run.input_set else ""
    chosen = ", all input sets" if run.selection == ALL_SETS else chosen
    say(command, f"Run {run.pk}: {run.name}", f"{run.version}{chosen}", f"{run.status}: {run.trial_count} trials")
    counts = trial_counts_of(run.pk).by_agent
    for agent in run.agents.order_by("position"):
        score, shares = agent.summary.get("overall_score"), shares_of(counts.get(agent.pk, {}))
        say(command, f"  {agent.name}: {shares.described}{'' if score is None else f', mean score {score:.3f}'}")


def describe_anew(command: BaseCommand, run: Run, options: Given) -> int:
    run.refresh_from_db()
    describe(command, run, options)
    return FINE


SHOW = Act(add_arguments, show)
