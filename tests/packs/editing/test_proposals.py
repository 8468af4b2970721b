import pytest

from packs.access import Role
from packs.editing import Change, EditRefused, apply, undo
from packs.editing.approvals import approval_of, judge
from packs.editing.proposals import ask, base_of, close, has_newer_draft, merge, merged, propose, take_in
from packs.formats.comparing import ABSENT, compare_packs
from packs.formats.document import NodeKind
from packs.mirror import format_of, read_tree
from packs.models import Pack, PackStatus, Proposal
from packs.publish import PublishRefused, archive, deprecate, publish, restore
from tests.people import make_member

NAME, FAMILY = "/pack/name", "/pack/family"


@pytest.fixture
def second(team):
    return make_member(team, Role.CURATOR)


@pytest.fixture
def proposal(draft, author):
    return propose(draft, author, "Better names")


def edit(draft, author, pointer, value):
    apply(draft, [Change(NodeKind.PACK, draft.pk, pointer, value)], author)


def pack_of(draft):
    return Pack.objects.get(pk=draft.pk).document["pack"]


def test_a_proposal_says_the_same_as_its_pack_and_no_list_shows_it(draft, proposal, author):
    assert read_tree(proposal.draft) == read_tree(draft)
    assert list(Pack.objects.visible_to(author)) == [draft]
    assert Pack.objects.reachable_by(author).count() == 2
    assert (proposal.draft.problem_errors, proposal.draft.problem_warnings) == (
        draft.problem_errors,
        draft.problem_warnings,
    )


def test_merging_brings_the_edits_of_both_and_undo_takes_them_back(draft, proposal, author, second):
    edit(proposal.draft, author, NAME, "Proposed")
    edit(draft, second, FAMILY, "kept")
    applied = merge(proposal, second)
    assert (pack_of(draft)["name"], pack_of(draft)["family"]) == ("Proposed", "kept")
    assert applied.is_written
    assert (proposal.status, proposal.ended_by) == (Proposal.Status.MERGED, second)
    draft.refresh_from_db()
    assert draft.edits.first().author == author
    undo(draft, author)
    assert pack_of(draft)["name"] == "Parcels"


def test_a_conflict_is_merged_as_it_was_decided_and_never_unseen(draft, proposal, author, second):
    edit(proposal.draft, author, NAME, "Proposed")
    edit(draft, second, NAME, "Drafted")
    (conflict,) = merged(Proposal.objects.get(pk=proposal.pk)).conflicts
    assert tuple(conflict.conflict.values) == ("Parcels", "Drafted", "Proposed")
    assert ABSENT not in tuple(conflict.conflict.values)
    with pytest.raises(EditRefused) as refused:
        merge(proposal, second)
    assert refused.value.code == "unseen_conflicts"
    assert pack_of(draft)["name"] == "Drafted"
    merge(proposal, second, [conflict.name], [conflict.name])
    assert pack_of(draft)["name"] == "Proposed"
    draft.refresh_from_db()
    assert draft.edits.first().author == second


def test_a_proposal_that_has_ended_is_neither_edited_nor_merged(draft, proposal, author):
    close(proposal, author)
    for act in (
        lambda: edit(proposal.draft, author, NAME, "Late"),
        lambda: merge(proposal, author),
        lambda: ask(proposal),
    ):
        with pytest.raises(EditRefused) as refused:
            act()
        assert refused.value.code == "proposal_has_ended"


def test_a_proposal_is_approved_before_it_is_merged_where_that_is_needed(draft, proposal, author, second):
    Pack.objects.filter(pk=draft.pk).update(needs_approval=True)
    draft.refresh_from_db()
    judge(draft, second, approves=True)
    publish(draft, second)
    edit(proposal.draft, author, "/version/evaluation_spec/name", "parcels-v2")
    with pytest.raises(EditRefused) as refused:
        merge(proposal, author)
    assert refused.value.code == "approval_needed"
    judge(proposal.draft, second, approves=True)
    merge(proposal, author)
    draft.refresh_from_db()
    # What was approved is all that is new in the draft.
    assert approval_of(draft).author == second
    assert publish(draft, author, number=2).number == 2


def test_the_approval_of_a_proposal_does_not_stand_for_other_edits(draft, proposal, author, second):
    edit(draft, author, FAMILY, "not looked at")
    edit(proposal.draft, author, NAME, "Proposed")
    judge(proposal.draft, second, approves=True)
    merge(proposal, author)
    draft.refresh_from_db()
    assert approval_of(draft) is None


def test_proposals_have_numbers_and_are_not_nested_or_published(draft, proposal, author):
    assert [propose(draft, author, "Second").number, proposal.number] == [2, 1]
    with pytest.raises(EditRefused) as refused:
        propose(proposal.draft, author, "Nested")
    assert refused.value.code == "nested_proposal"
    with pytest.raises(PublishRefused) as unpublished:
        publish(proposal.draft, author)
    assert unpublished.value.code == "pack_is_a_proposal"
    for title in ("", "x" * 201):
        with pytest.raises(EditRefused):
            propose(draft, author, title)


def test_a_proposal_takes_in_what_the_draft_has_by_now(draft, proposal, author, second):
    with pytest.raises(EditRefused) as refused:
        take_in(proposal, author)
    assert refused.value.code == "nothing_new"
    edit(proposal.draft, author, NAME, "Proposed")
    edit(draft, second, FAMILY, "newer")
    take_in(proposal, author)
    assert (pack_of(proposal.draft)["name"], pack_of(proposal.draft)["family"]) == ("Proposed", "newer")
    assert pack_of(draft)["name"] == "Parcels"
    assert not has_newer_draft(proposal)
    (change,) = compare_packs(format_of(draft), base_of(proposal), read_tree(proposal.draft)).nodes
    assert [field.new for field in change.fields] == ["Proposed"]
    merge(proposal, author)
    assert (pack_of(draft)["name"], pack_of(draft)["family"]) == ("Proposed", "newer")


def test_taking_in_decides_no_conflict_that_nobody_looked_at(draft, proposal, author, second):
    edit(proposal.draft, author, NAME, "Proposed")
    edit(draft, second, NAME, "Drafted")
    (conflict,) = merged(Proposal.objects.get(pk=proposal.pk)).conflicts
    with pytest.raises(EditRefused):
        take_in(proposal, author)
    take_in(proposal, author, [conflict.name], [conflict.name])
    assert pack_of(proposal.draft)["name"] == "Proposed"
    assert merged(Proposal.objects.get(pk=proposal.pk)).conflicts == ()


@pytest.mark.parametrize("act", [archive, deprecate, restore])
def test_the_draft_of_a_proposal_is_neither_archived_nor_restored_by_itself(draft, proposal, author, act):
    close(proposal, author)
    with pytest.raises(PublishRefused) as refused:
        act(proposal.draft)
    assert refused.value.code == "pack_is_a_proposal"
    assert Pack.objects.get(pk=proposal.draft_id).status == PackStatus.ARCHIVED


def test_a_proposal_that_is_sent_back_is_being_written_again(draft, proposal, author, second):
    edit(proposal.draft, author, NAME, "Proposed")
    ask(proposal)
    judge(proposal.draft, second, approves=False, text="Why?")
    proposal.refresh_from_db()
    assert proposal.status == Proposal.Status.DRAFT
