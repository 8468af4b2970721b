"""Letting the verdicts of a rescore count for its run; what was said before stays in the events of each trial."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from runs.jobs.scores.amending import Said, amend
from runs.jobs.scores.rejudging import hold
from runs.jobs.trials.progress import count_again
from runs.models import ENDED_RUNS, Ranking, Rescore, RescoreResult, RescoreStatus
from runs.statistics.summaries import Judging


class AdoptRefused(Exception):
    """A rescore whose verdicts cannot count for its run. `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def adopt(row: Rescore, user: User | None = None) -> int:
    """Let trials take over what a rescore says of them; gives how many did. Raises AdoptRefused.

    Those that were tried, reviewed or ranked again since they were scored keep what they are.
    """
    with transaction.atomic():
        run = hold(row.run_id)
        row.refresh_from_db()
        refuse(row, run.status in ENDED_RUNS)
        results = list(adoptable(row))
        for result in results:
            take_over(result)
        for result in row.results.exclude(ranking={}).select_related("trial"):
            keep_ranking(result)
        for agent in {result.trial.run_agent_id for result in results}:
            count_again(row.run_id, agent)
        Rescore.objects.filter(pk=row.pk).update(adopted_at=timezone.now(), adopted_by=user)
    return len(results)


def refuse(row: Rescore, has_ended: bool) -> None:
    """Raises AdoptRefused."""
    if not has_ended:
        raise AdoptRefused("run_not_ended", "The run has not ended, or is being scored.")
    if not row.is_by_the_run:
        message = "Another version or evaluation scored: these are no verdicts of the run. Start a run of it instead."
        raise AdoptRefused("scored_otherwise", message)
    if row.status != RescoreStatus.COMPLETED or row.adopted_at is not None:
        raise AdoptRefused("not_adoptable", "The scoring is not completed, or its verdicts count already.")


def adoptable(row: Rescore) -> Iterator[RescoreResult]:
    """The results that say anything new, of trials that are as they were when they were scored."""
    results = row.results.filter(trial__event_count=F("event_count"), trial__finished_at__lte=row.finished_at)
    for result in results.select_related("trial").order_by("pk"):
        if result.events and (result.has_changed or result.usage.get("calls")):
            yield result


def take_over(result: RescoreResult) -> None:
    """Let a trial be what its result says; what judges used up before goes on to count."""
    trial = result.trial
    known = [event.as_event() for event in trial.events.all()]
    reported = [{**event, "occurred_at": datetime.fromisoformat(event["occurred_at"])} for event in result.events]
    card = with_earlier(trial.scorecard, result)
    amend(trial, known, reported, Said(result.status, result.score, result.fault, result.error, card, result.grades))


def with_earlier(before: Mapping[str, Any], result: RescoreResult) -> dict[str, Any]:
    """The new scorecard, with what judges had used up for earlier ones and what they say does not show any more."""
    earlier, shown = Judging(), Judging()
    earlier.add_all(before)
    earlier.add({"cost_usd": 0.0, **result.usage})
    shown.add_all(result.scorecard)
    left = earlier.without(shown)
    return {**result.scorecard, **({"earlier_judging": left.as_dict()} if left.calls > 0 else {})}


def keep_ranking(result: RescoreResult) -> None:
    """Keep what ranking judges were asked now in place of what they were asked before."""
    trial = result.trial
    for ranking in Ranking.objects.filter(run=trial.run_id, case_position=trial.case_position, number=trial.number):
        ranking.calls, ranking.error = {**ranking.calls, **result.ranking}, ""
        ranking.save(update_fields=["calls", "error"])
