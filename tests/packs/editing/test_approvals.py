import pytest

from packs.access import Role
from packs.editing import Change, EditRefused, apply
from packs.editing.approvals import approval_of, approvers_of, authors_of, judge, waiting_for_approval
from packs.formats.document import NodeKind
from packs.publish import PublishRefused, publish
from tests.people import make_member


@pytest.fixture
def second(team):
    return make_member(team, Role.REVIEWER)


def edit(draft, author, value):
    apply(draft, [Change(NodeKind.PACK, draft.pk, "/pack/name", value)], author)


def test_who_made_a_change_cannot_approve_it(draft, author, second):
    edit(draft, author, "Other")
    with pytest.raises(EditRefused) as refused:
        judge(draft, author, approves=True)
    assert refused.value.code == "own_work"
    judge(draft, second, approves=True)
    assert approval_of(draft).author == second


def test_reviewers_who_made_none_of_the_changes_can_approve(draft, author, second, team):
    make_member(team, Role.VIEWER)
    edit(draft, author, "Other")
    assert approvers_of(draft, authors_of(draft)) == [second]
    edit(draft, second, "Another")
    assert approvers_of(draft, authors_of(draft)) == []


def test_an_approval_holds_until_the_next_change_or_other_word(draft, author, second):
    edit(draft, author, "Other")
    judge(draft, second, approves=True)
    judge(draft, second, approves=False, text="On second thoughts, no.")
    assert approval_of(draft) is None
    judge(draft, second, approves=True)
    edit(draft, author, "Another")
    assert approval_of(draft) is None


def test_only_changes_since_the_last_version_count(draft, author, second):
    edit(draft, author, "Other")
    publish(draft, None)
    assert authors_of(draft) == set()
    edit(draft, second, "Another")
    assert authors_of(draft) == {second.pk}


@pytest.mark.parametrize("where", ["pack", "team"])
def test_a_draft_waits_for_those_who_can_approve_it_until_one_has_judged_it(draft, author, second, team, where):
    holder = draft if where == "pack" else draft.team
    holder.needs_approval = True
    holder.save()
    viewer = make_member(team, Role.VIEWER)

    def waits():
        return [list(waiting_for_approval(person)) == [draft] for person in (second, author, viewer)]

    edit(draft, author, "Other")
    assert waits() == [True, False, False]
    judge(draft, second, approves=False)
    assert waits() == [False, False, False]
    edit(draft, author, "Another")
    assert waits() == [True, False, False]
    judge(draft, second, approves=True)
    assert waits() == [False, False, False]
    publish(draft, None)
    assert waits() == [False, False, False]


def test_only_a_draft_that_could_be_published_waits_for_an_approval(draft, author, second):
    edit(draft, author, "Other")
    assert not waiting_for_approval(second)
    draft.needs_approval = True
    draft.save()
    assert waiting_for_approval(second)
    edit(draft, author, "")
    assert draft.problem_errors
    assert not waiting_for_approval(second)


@pytest.mark.parametrize("where", ["pack", "team"])
def test_publishing_waits_for_the_approval_that_is_asked_for(draft, author, second, where):
    holder = draft if where == "pack" else draft.team
    holder.needs_approval = True
    holder.save()
    edit(draft, author, "Other")
    with pytest.raises(PublishRefused) as refused:
        publish(draft, author)
    assert refused.value.code == "pack_needs_approval"
    judge(draft, second, approves=True)
    assert publish(draft, author).number == 1
