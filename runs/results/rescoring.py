"""Asking for a re-score: by the run's own version, by another one of its pack, or by another evaluation.

Judges are asked again where that is wanted, also others than in the run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone

from packs.formats import adapter_of
from packs.formats.findings import Finding, has_errors
from packs.formats.yamlio import GO_YAML, read
from packs.mirror import read_version
from packs.models import PackVersion
from packs.quotas import QuotaReached
from runs.jobs.queue.messages import enqueue_rescore
from runs.jobs.scores.rescoring import with_evaluation
from runs.jobs.trials.frozen import Frozen
from runs.models import ACTIVE_RUNS, OPEN_RESCORES, Asks, Probe, Rescore, RescoreResult, RescoreStatus, Run
from runs.models.answerers import UnknownConnection, read_choices
from runs.quotas import heed_money

# Whom a probe asks. An order that was judged already, as of pairs that a judge saw both ways, is not paid for again.
PROBED: dict[str, str] = {Probe.PADDED: Asks.ALL, Probe.SWAPPED: Asks.MISSING}
# What narrows results, in addresses -> the column.
MOVED = {"from": "old_status", "to": "status"}


class RescoreRefused(Exception):
    """A re-score that cannot be done as asked. `findings` say what is wrong with the evaluation."""

    def __init__(self, code: str, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.findings = list(findings)


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a run is to be scored again.

    `number` is a version of the same pack, None for the run's own; `evaluation` is the text (YAML or JSON) of an
    evaluation to score by. `asks` says which judges are asked, `connections` who answers for models, where that is not
    as in the run: the pack's name of a model -> `{"connection": name or id, "model"?}`. A `probe` says by
    itself whom it asks.
    """

    number: int | None = None
    evaluation: str = ""
    asks: str = Asks.NOBODY
    connections: Mapping[str, Any] = field(default_factory=dict)
    probe: str = Probe.NONE


def ask_rescore(run: Run, user: User | None = None, wanted: Wanted = Wanted(), *, send: bool = True) -> Rescore:
    """Make a rescore of a run that has ended and send its job after commit. Raises RescoreRefused."""
    if run.status in ACTIVE_RUNS:
        raise RescoreRefused("run_not_ended", "The run has not ended yet.")
    if run.recordings_removed_at is not None:
        on = f"{run.recordings_removed_at:%-d %B %Y}"
        message = f"Recordings of this run were removed on {on}, so its trials cannot be scored again. Run it again."
        raise RescoreRefused("recordings_removed", message)
    version = find_version(run, wanted.number)
    row = Rescore(
        run=run,
        version=version,
        evaluation=read_evaluation(version, wanted.evaluation) if wanted.evaluation.strip() else None,
        asks=PROBED.get(wanted.probe, wanted.asks),
        probe=wanted.probe,
        connections=read_connections(run, wanted),
        created_by=user,
        trial_count=run.trial_count,
    )
    if row.asks:
        heed_judges(run)
    row.save()
    if send:
        enqueue_rescore(row)
    return row


def heed_judges(run: Run) -> None:
    """Raises RescoreRefused where the team of a run may not spend more this month."""
    try:
        heed_money(run.team)
    except QuotaReached as reached:
        raise RescoreRefused(reached.code, reached.message) from reached


def narrowed(results: QuerySet[RescoreResult], asked: Mapping[str, str]) -> QuerySet[RescoreResult]:
    """The results whose verdict moved `from` one `to` another, where these are given."""
    return results.filter(**{column: asked[name] for name, column in MOVED.items() if asked.get(name)})


def find_version(run: Run, number: int | None) -> PackVersion:
    """The version that scores: the run's own where no number is given. Raises RescoreRefused."""
    if number is None:
        return run.version
    found: PackVersion | None = run.version.pack.versions.filter(number=number).first()
    if found is None:
        raise RescoreRefused("unknown_version", f"The pack has no version {number}.")
    return found


def read_connections(run: Run, wanted: Wanted) -> dict[str, Any]:
    """Who answers for models, in the shape of `Run.connections`. Raises RescoreRefused."""
    if wanted.connections and not (wanted.asks or wanted.probe):
        raise RescoreRefused("nobody_asked", "Say which judges are to be asked: those that gave no answer, or all.")
    try:
        return read_choices(run.team, wanted.connections)
    except UnknownConnection as unknown:
        raise RescoreRefused("invalid_connections", str(unknown)) from unknown


def cancel_rescore(row: Rescore) -> bool:
    """Stop a rescore; the run stays as it is, and what was scored is kept. False when it has ended already."""
    rows = Rescore.objects.filter(pk=row.pk, status__in=OPEN_RESCORES)
    return bool(rows.update(status=RescoreStatus.CANCELLED, finished_at=timezone.now()))


def read_evaluation(version: PackVersion, text: str) -> Any:
    """The evaluation that a text holds, checked as a part of the version. Raises RescoreRefused."""
    adapter = adapter_of(version.pack.format)
    if not adapter.EVALUATION_POINTER:
        raise RescoreRefused("no_evaluation", f"Packs of the format {adapter.LABEL} have no evaluation of their own.")
    value, findings = read(text, dialect=GO_YAML)
    if has_errors(findings) or not isinstance(value, dict):
        raise RescoreRefused("invalid_evaluation", "The evaluation is not a document that can be read.", findings)
    pack = with_evaluation(Frozen(adapter, read_version(version, contents=False)), value).pack
    problems = [finding for finding in adapter.check(pack) if finding.is_error]
    if problems:
        raise RescoreRefused("invalid_evaluation", "The version would be wrong with this evaluation.", problems)
    return value
