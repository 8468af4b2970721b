"""From a review to the case that is wrong."""

import pytest

from packs.editing import EditRefused
from packs.models import Comment, PackStatus, Proposal
from runs.results.corrections import comment_on_case, draft_case_of, propose_correction
from tests.runs.queues import begin_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def trial(team, author):
    return begin_run(team, author, cases=2).trials.order_by("pk")[1]


def test_a_proposal_begins_at_the_case_and_says_why(trial, author):
    case = draft_case_of(trial)
    assert case.key == trial.case_key
    made = propose_correction(case, trial, "The hub moved to Leeds.", author)
    proposal = Proposal.objects.get()
    assert (proposal.draft, made.case.pack, made.case.key) == (made.draft, made.draft, case.key)
    said = Comment.objects.get()
    assert (said.pack, said.node) == (made.draft, made.case.pk)
    assert f"Trial {trial.pk} of run {trial.run_id}" in said.text


def test_without_a_reason_nothing_is_begun(trial, author):
    for act in (comment_on_case, propose_correction):
        with pytest.raises(EditRefused):
            act(draft_case_of(trial), trial, " ", author)
    assert not Proposal.objects.exists()


def test_a_case_that_is_gone_or_archived_cannot_be_corrected(trial):
    case = draft_case_of(trial)
    pack = trial.run.version.pack
    pack.status = PackStatus.ARCHIVED
    assert draft_case_of(trial) is None
    pack.status = PackStatus.DRAFT
    case.delete()
    assert draft_case_of(trial) is None
