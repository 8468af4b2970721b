"""Repeating trials with infrastructure errors, where the pack's format or a gate wants it (task-suite 6)."""

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db.models import Count, Q, QuerySet

from packs.formats.abilities import REPEATS_BROKEN_TRIALS
from runs.jobs.trials.retrying import retry_trials
from runs.models import Run, Trial, TrialStatus
from runs.statistics.estimates import METRICS, verdict

# How often a trial with an infrastructure error is repeated.
MAX_REPEATS = 2
MACHINE = "machine"


def repeat_as_wanted(run: Run) -> int:
    """Let broken trials of a run wait again where its pack's format wants it; gives how many."""
    is_wanted = Run.objects.filter(pk=run.pk, version__pack__format__in=REPEATS_BROKEN_TRIALS).exists()
    return repeat_broken(run) if is_wanted else 0


def repeat_broken(run: Run, user: User | None = None) -> int:
    """Let the trials of `repeatable` wait again; gives how many."""
    wanted = repeatable(run)
    return retry_trials(run, Trial.objects.filter(pk__in=wanted, status=TrialStatus.ERROR), user) if wanted else 0


def repeatable(run: Run) -> list[int]:
    """The ids of trials with infrastructure errors that were not repeated often enough.

    What took place elsewhere stays as it was, and so do trials of cases whose verdict is certain without them.
    """
    open_places = {place for place, is_certain in _places(run) if not is_certain}
    rows = _broken(run).values_list("pk", "run_agent", "case") if open_places else []
    return [pk for pk, agent, case in rows if (agent, case) in open_places]


def _broken(run: Run) -> QuerySet[Trial]:
    repeats = Count("attempts", filter=Q(attempts__status=TrialStatus.ERROR))
    rows: QuerySet[Trial] = Trial.objects.filter(run=run, status=TrialStatus.ERROR, fault=MACHINE)
    rows = rows.filter(record__isnull=True).exclude(run_agent__kind="recorded")
    return rows.annotate(repeats=repeats).filter(repeats__lt=MAX_REPEATS)


def _places(run: Run) -> Iterator[tuple[tuple[int, int | None], bool]]:
    """Each run agent with a case that has broken trials, and whether the other trials decide already."""
    rules = {plan.case_id: (plan.count, plan.rule) for plan in run.plans.filter(rule__in=METRICS)}
    for agent, case in _broken(run).order_by("run_agent_id", "case_id").values_list("run_agent", "case").distinct():
        rule = rules.get(case)
        if rule is None:
            yield (agent, case), False
            continue
        others = Trial.objects.filter(run_agent=agent, case=case).order_by("number").values_list("status", flat=True)
        yield (agent, case), verdict(*rule, others) != "incomplete"
