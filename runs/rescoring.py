"""Asking for a second scoring: by the run's own version, by another one of its pack, or by another evaluation."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from packs.formats import adapter_of
from packs.formats.findings import Finding, has_errors
from packs.formats.yamlio import GO_YAML, read
from packs.mirror import read_version
from packs.models import PackVersion
from runs.jobs import enqueue_rescore
from runs.jobs.loading import Frozen
from runs.jobs.rescoring import with_evaluation
from runs.models import Rescore, Run, RunStatus

ACTIVE = (RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.PAUSED, RunStatus.SCORING)


class RescoreRefused(Exception):
    """A second scoring that cannot be done as asked. `findings` say what is wrong with the evaluation."""

    def __init__(self, code: str, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.findings = list(findings)


def ask_rescore(
    run: Run, user: User | None = None, *, number: int | None = None, evaluation: str = "", send: bool = True
) -> Rescore:
    """Make a rescore of a run that has ended and send its job after commit.

    `number` is a version of the same pack, None for the run's own; `evaluation` is the text (YAML or JSON) of an
    evaluation to score by. Raises RescoreRefused.
    """
    if run.status in ACTIVE:
        raise RescoreRefused("run_not_ended", "The run has not ended yet.")
    version = run.version if number is None else run.version.pack.versions.filter(number=number).first()
    if version is None:
        raise RescoreRefused("unknown_version", f"The pack has no version {number}.")
    value = read_evaluation(version, evaluation) if evaluation.strip() else None
    row = Rescore(run=run, version=version, evaluation=value, created_by=user, trial_count=run.trial_count)
    with transaction.atomic():
        row.save()
        if send:
            enqueue_rescore(row)
    return row


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
