"""A person overrules a grader or a judge of a trial, or takes that back; the trial is then judged again."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from packs.formats.characters import storable
from runs.engine.events import OVERRULED
from runs.grading.scoring.overruling import FAIL, PASS, overruling_in
from runs.jobs.scores.rejudging import hold, judge_anew
from runs.jobs.trials.loading import tasks_of
from runs.models import FINAL_STATUSES, RunStatus, Trial

MAX_REASON = 4000


class OverruleRefused(Exception):
    """Something that cannot be said in place of a grader. `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person says of the key of a grader or judge: pass or fail, or empty to take back what was said; why; and
    a score from 0 to 1, which is 1 or 0 where none is given."""

    key: str
    verdict: str
    reason: str = ""
    score: float | None = None


def overrule(trial: Trial, user: User, wanted: Wanted) -> None:
    """Let what a person says of a grader or judge count for the trial. Raises OverruleRefused."""
    reason = storable(wanted.reason).strip()
    check(wanted, reason)
    with transaction.atomic():
        run = hold(trial.run_id)
        found = Trial.objects.select_related("run").get(pk=trial.pk)
        if found.status not in FINAL_STATUSES or run.status == RunStatus.SCORING:
            raise OverruleRefused("not_ended", "The trial has not ended, or its run is being scored just now.")
        known = overruling_in(found.scorecard)
        if wanted.key not in known:
            raise OverruleRefused("unknown_grader", f"No grader or judge {wanted.key!r} judged this trial.")
        if not wanted.verdict and known[wanted.key] is None:
            raise OverruleRefused("not_overruled", f"Nobody has overruled {wanted.key!r}.")
        task = tasks_of(found.run, [found])[found.case_id]
        if not judge_anew(found, task, OVERRULED, payload_of(wanted, reason, user)):
            raise OverruleRefused("not_judgeable", "The trial left nothing that could be judged again.")


def check(wanted: Wanted, reason: str) -> None:
    """Raises OverruleRefused."""
    if wanted.verdict not in (PASS, FAIL, ""):
        raise OverruleRefused("invalid_verdict", f"Say {PASS} or {FAIL}.")
    if wanted.score is not None and not 0 <= wanted.score <= 1:
        raise OverruleRefused("invalid_score", "Give a score from 0 to 1.")
    if len(reason) > MAX_REASON or (wanted.verdict and not reason):
        raise OverruleRefused("no_reason", f"Say in at most {MAX_REASON:,} characters why.")


def payload_of(wanted: Wanted, reason: str, user: User) -> dict[str, Any]:
    said = {"verdict": wanted.verdict or None, **({} if wanted.score is None else {"score": wanted.score})}
    moment = timezone.now().isoformat(timespec="seconds")
    return {"validator_key": wanted.key, **said, "reason": reason, "by": user.get_username(), "at": moment}
