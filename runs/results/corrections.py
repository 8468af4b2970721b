"""From a review to the case that is wrong: its draft, a comment on it, or a proposal that changes it."""

from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction

from packs.editing.comments import comment_on
from packs.editing.proposals import propose
from packs.formats.document import NodeKind
from packs.models import Case, Pack, PackStatus, VersionInputSet
from runs.models import Trial

MAX_KEY = 120


class Proposed(NamedTuple):
    """A proposal's draft, with the case in it that is to be changed."""

    draft: Pack
    case: Case


def draft_case_of(trial: Trial) -> Case | None:
    """The case of a trial as it stands in the draft of its pack; None where it is gone, or the pack is archived."""
    if trial.case is None:
        return None
    pack = trial.run.version.pack
    return None if pack.status == PackStatus.ARCHIVED else case_in(pack, trial)


def case_in(pack: Pack, trial: Trial) -> Case | None:
    """The case of a trial in a draft, by its key and that of its input set."""
    if trial.case is None:
        return None
    sets = VersionInputSet.objects.filter(pk=trial.case.input_set_id).values("key")
    rows = Case.objects.filter(pack=pack, key=trial.case.key, input_set__key__in=sets).select_related("pack__team")
    found: Case | None = rows.defer("document", "pack__document").order_by("pk").first()
    return found


def comment_on_case(case: Case, trial: Trial, text: str, author: User) -> None:
    """Say what is wrong with a case, with the trial that showed it. Raises EditRefused."""
    note = f"{text.strip()}\n\nTrial {trial.pk} of run {trial.run_id}" if text.strip() else ""
    comment_on(case.pack, (NodeKind.CASE, case.pk), "", note, author)


def propose_correction(case: Case, trial: Trial, text: str, author: User) -> Proposed:
    """Begin a proposal in which the case is to be changed; it says why in a comment. Raises EditRefused."""
    with transaction.atomic():
        proposal = propose(case.pack, author, f"Correct the case {case.key[:MAX_KEY]}")
        copy = case_in(proposal.draft, trial)
        assert copy is not None, "a proposal begins with a copy of the draft"
        comment_on_case(copy, trial, text, author)
    return Proposed(proposal.draft, copy)
