"""`manage.py run cancel`, `pause`, `resume`, `retry` and `more`."""

from argparse import ArgumentParser

from django.core.management import BaseCommand

from packs.management.answers import Misuse
from packs.quotas import QuotaReached
from runs.jobs.trials.control import cancel, pause, resume
from runs.jobs.trials.retrying import RETRIES, retry
from runs.launch.launching import add_trials
from runs.launch.refusals import LaunchRefused
from runs.management.acts import Act, Given
from runs.management.acts.following import set_off
from runs.management.acts.showing import add_arguments, describe_anew
from runs.management.lookup import find_run


def add_which(parser: ArgumentParser) -> None:
    parser.add_argument("--which", choices=sorted(RETRIES), default="errors", help="default: errors")
    add_arguments(parser)


def add_trial_count(parser: ArgumentParser) -> None:
    parser.add_argument("--trials", type=int, default=1, metavar="K", help="how many for each case and agent (1)")
    add_arguments(parser)


def do_cancel(command: BaseCommand, options: Given) -> int:
    run = find_run(options["id"])
    if not cancel(run):
        raise Misuse(f"Run {run.pk} has ended already.", "run_has_ended")
    return describe_anew(command, run, options)


def do_pause(command: BaseCommand, options: Given) -> int:
    run = find_run(options["id"])
    if not pause(run):
        raise Misuse(f"Run {run.pk} is neither queued nor running.", "run_not_active")
    return describe_anew(command, run, options)


def do_resume(command: BaseCommand, options: Given) -> int:
    run = find_run(options["id"])
    if not resume(run):
        raise Misuse(f"Run {run.pk} is not paused.", "run_not_paused")
    return set_off(command, run, options)


def do_retry(command: BaseCommand, options: Given) -> int:
    run = find_run(options["id"])
    try:
        count = retry(run, options["which"])
    except QuotaReached as reached:
        raise Misuse(reached.message, reached.code) from reached
    if not count:
        raise Misuse(f"Run {run.pk} has no such trials to try again now.", "nothing_to_retry")
    return set_off(command, run, options)


def do_more(command: BaseCommand, options: Given) -> int:
    run = find_run(options["id"])
    try:
        add_trials(run, options["trials"])
    except LaunchRefused as refused:
        raise Misuse(refused.message, refused.code) from refused
    return set_off(command, run, options)


CANCEL = Act(add_arguments, do_cancel)
PAUSE = Act(add_arguments, do_pause)
RESUME = Act(add_arguments, do_resume)
RETRY = Act(add_which, do_retry)
MORE = Act(add_trial_count, do_more)
