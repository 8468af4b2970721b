"""Counting the cases again of which trials changed, so that those who read find less to count."""

from django.db import transaction

from runs.models.case_counts import AT_ONCE, CaseChange, CaseCount, count_cases
from runs.models.runs import RunAgent

# So many blocks are counted by one sweep: workers do more than that.
MOST_PER_SWEEP = 500


def keep_case_counts(run_id: int) -> None:
    """Count what changed in a run."""
    for agent in _changed_agents(run_id):
        while _count_some(run_id, agent):
            pass


def keep_changed_counts() -> None:
    """Count what changed in all runs, the rest another time."""
    done = 0
    for run_id in CaseChange.objects.order_by().values_list("run", flat=True).distinct():
        for agent in _changed_agents(run_id):
            while done < MOST_PER_SWEEP and (counted := _count_some(run_id, agent)):
                done += counted


def _changed_agents(run_id: int) -> list[int]:
    return list(CaseChange.objects.filter(run=run_id).order_by().values_list("run_agent", flat=True).distinct())


def _count_some(run_id: int, agent: int) -> int:
    """Count some blocks of an agent; gives how many: none where another process counts those of the same agent."""
    with transaction.atomic():
        own = RunAgent.objects.select_for_update(skip_locked=True, no_key=True).filter(pk=agent)
        if not own.values_list("pk"):
            return 0
        changes = CaseChange.objects.filter(run_agent=agent)
        blocks = list(changes.order_by("block").values_list("block", flat=True).distinct()[:AT_ONCE])
        # Who changes a trial from here on leaves another note.
        changes.filter(block__in=blocks).delete()
        CaseCount.objects.filter(run_agent=agent, block__in=blocks).delete()
        CaseCount.objects.bulk_create(
            CaseCount(run_id=run_id, run_agent_id=count.run_agent, **dict(list(count._asdict().items())[1:]))
            for count in count_cases(run_id, agent, blocks)
        )
    return len(blocks)
