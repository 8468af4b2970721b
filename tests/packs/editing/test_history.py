import random

import pytest
from django.utils import timezone

from packs import editing
from packs.editing import ABSENT, Change, EditRefused
from packs.editing.history import PAUSE
from packs.editing.points import point_at
from packs.editing.seen import document_seen
from packs.formats.document import NodeKind
from packs.mirror import read_tree
from packs.models import Case, Edit
from tests.packs.drafts import draft_of, random_edit

CASE = NodeKind.CASE


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def case(draft):
    return draft.cases.order_by("position").first()


def rows(draft):
    """Everything of the draft that undo has to restore."""
    fields = ("pk", "position", "key", "document")
    return [
        read_tree(draft),
        list(draft.cases.order_by("pk").values_list("input_set_id", "challenge_key", *fields)),
        list(draft.input_sets.order_by("pk").values_list(*fields)),
        list(draft.challenges.order_by("pk").values_list(*fields)),
        list(draft.assets.order_by("pk").values_list("blob_id", *fields)),
    ]


def set_value(draft, case, value, author, pointer="/inputs/0/value"):
    return editing.apply(draft, [Change(CASE, case.pk, pointer, value)], author)


def test_a_deleted_set_comes_back_with_its_cases_under_their_old_ids(draft, author):
    before = rows(draft)
    editing.remove_node(draft, NodeKind.INPUT_SET, draft.input_sets.get().pk, author)
    assert not Case.objects.exists()
    applied = editing.undo(draft, author)
    assert rows(draft) == before
    assert applied.errors == 0


def test_undo_goes_back_step_by_step_and_redo_forward_again(draft, case, author):
    states = [rows(draft)]
    for value in ("one", "two", "three"):
        set_value(draft, case, value, author)
        states.append(rows(draft))
    for state in reversed(states[:-1]):
        editing.undo(draft, author)
        assert rows(draft) == state
    for state in states[1:]:
        editing.redo(draft, author)
        assert rows(draft) == state


def test_there_is_an_end_to_undo_and_to_redo(draft, case, author):
    for act in (editing.undo, editing.redo):
        with pytest.raises(EditRefused) as refused:
            act(draft, author)
        assert refused.value.code == "nothing_to_undo"
    assert editing.undoable(draft, author) is None
    assert editing.redoable(draft, author) is None
    assert editing.travels(draft, author) == (False, False)


def test_a_new_edit_ends_what_could_be_made_again(draft, case, author):
    set_value(draft, case, "one", author)
    editing.undo(draft, author)
    assert editing.redoable(draft, author)
    assert editing.travels(draft, author) == (False, True)
    set_value(draft, case, "two", author)
    assert editing.redoable(draft, author) is None
    assert editing.travels(draft, author) == (True, False)


def test_everybody_takes_back_their_own_edits(draft, case, author, administrator):
    set_value(draft, case, "mine", author)
    set_value(draft, case, {"a": 1}, administrator, "/payload")
    editing.undo(draft, author)
    document = Case.objects.get(pk=case.pk).document
    assert document["inputs"][0]["value"] == "Where is parcel case-0?"
    assert document["payload"] == {"a": 1}


def test_undo_does_not_take_away_what_another_built_on_it(draft, case, author, administrator):
    set_value(draft, case, "mine", author)
    set_value(draft, case, "theirs", administrator)
    before, revision = rows(draft), draft.revision
    applied = editing.undo(draft, author)
    assert [conflict.theirs for conflict in applied.conflicts] == ["theirs"]
    assert not applied.is_written
    assert rows(draft) == before
    assert draft.revision == revision


def test_a_group_is_taken_back_whole_or_not_at_all(draft, case, author, administrator):
    changes = [Change(CASE, case.pk, "/payload", {"a": 1}), Change(CASE, case.pk, "/inputs/0/value", "mine")]
    editing.apply(draft, changes, author)
    set_value(draft, case, {"a": 2}, administrator, "/payload")
    before = rows(draft)
    assert editing.undo(draft, author).conflicts
    assert rows(draft) == before


def test_any_group_of_the_history_can_be_taken_back(draft, case, author, administrator):
    first = set_value(draft, case, "one", author)
    set_value(draft, case, {"a": 1}, author, "/payload")
    editing.undo(draft, administrator, first.group)
    document = Case.objects.get(pk=case.pk).document
    assert document["inputs"][0]["value"] == "Where is parcel case-0?"
    assert document["payload"] == {"a": 1}


def test_an_added_node_that_another_changed_is_not_taken_away(draft, author, administrator):
    hubs = draft.input_sets.get().pk
    added = editing.add_node(draft, CASE, author, document={"case_key": "new"}, input_set=hubs).node
    editing.apply(draft, [Change(CASE, added, "/case_key", "theirs")], administrator)
    assert editing.undo(draft, author).conflicts
    assert Case.objects.filter(pk=added).exists()


def test_a_case_does_not_come_back_into_a_set_that_is_gone(draft, case, author, administrator):
    editing.remove_node(draft, CASE, case.pk, author)
    editing.remove_node(draft, NodeKind.INPUT_SET, draft.input_sets.get().pk, administrator)
    assert editing.undo(draft, author).conflicts


def test_an_undone_edit_counts_as_an_edit_for_who_has_not_seen_it(draft, case, author, administrator):
    set_value(draft, case, "one", author)
    seen = draft.revision
    editing.undo(draft, author)
    change = Change(CASE, case.pk, "/inputs/0/value", "mine")
    assert editing.apply(draft, [change], administrator, seen).conflicts


def test_a_removed_key_comes_back_at_its_place(draft, case, author):
    order = list(case.document)
    set_value(draft, case, ABSENT, author, f"/{order[1]}")
    editing.undo(draft, author)
    assert list(Case.objects.get(pk=case.pk).document) == order


def test_the_history_tells_who_did_what_newest_first(draft, case, author, administrator):
    set_value(draft, case, "one", author)
    set_value(draft, case, "two", administrator)
    editing.undo(draft, administrator)
    second, first = editing.history(draft)
    assert (second.author, second.undone, first.author, first.undone) == (
        administrator.username,
        True,
        author.username,
        False,
    )
    assert [edit.new for edit in first.edits] == [["one"]]
    assert editing.history(draft, before=second.revision) == [first]
    assert editing.history(draft, limit=1) == [second]
    author.delete()
    assert [moment.author for moment in editing.history(draft)] == [administrator.username, ""]


@pytest.mark.parametrize("seed", range(8))
def test_whatever_was_done_a_hundred_undos_lead_back(draft, author, seed):
    chance = random.Random(seed)
    start = rows(draft)
    for number in range(25):
        random_edit(draft, author, chance, number)
    end = rows(draft)
    while editing.undoable(draft, author):
        assert not editing.undo(draft, author).conflicts
    assert rows(draft) == start
    while editing.redoable(draft, author):
        assert not editing.redo(draft, author).conflicts
    assert rows(draft) == end
    assert not Edit.objects.filter(undone=True).exists()


def test_an_added_set_that_another_filled_is_not_taken_away(draft, author, administrator):
    added = editing.add_node(draft, NodeKind.INPUT_SET, author, document={"key": "new", "name": "New"}).node
    editing.add_node(draft, CASE, administrator, document={"case_key": "theirs"}, input_set=added)
    assert editing.undo(draft, author).conflicts
    assert Case.objects.filter(input_set=added).exists()


def test_a_case_that_another_moved_to_another_set_is_not_moved_back(draft, case, author, administrator):
    one, two = (
        editing.add_node(draft, NodeKind.INPUT_SET, administrator, document={"key": key, "name": key}).node
        for key in ("one", "two")
    )
    editing.move_node(draft, CASE, case.pk, author, input_set=one)
    editing.move_node(draft, CASE, case.pk, administrator, input_set=two)
    assert editing.undo(draft, author).conflicts
    assert Case.objects.get(pk=case.pk).input_set_id == two


def typed(draft, case, author, *values, label="Change the value"):
    for value in values:
        editing.apply(draft, [Change(case.kind, case.pk, "/inputs/0/value", value)], author, label=label)


def text_of(case):
    case.refresh_from_db()
    return case.document["inputs"][0]["value"]


def test_what_is_typed_into_a_value_in_one_go_is_one_step(draft, case, author):
    before = text_of(case)
    start = draft.revision
    typed(draft, case, author, "W", "Wh", "Why")
    editing.undo(draft, author)
    assert text_of(case) == before
    assert document_seen(draft, case, draft.revision - 1)["inputs"][0]["value"] == "Why"
    editing.redo(draft, author)
    assert text_of(case) == "Why"
    assert editing.travels(draft, author) == (True, False)
    for revision, said in ((start, before), (start + 2, "Wh"), (start + 3, "Why"), (start + 4, before)):
        tree = point_at(draft, revision).tree()
        assert tree.input_sets[0].cases[0].document["inputs"][0]["value"] == said


def test_a_pause_another_value_and_a_program_are_steps_of_their_own(draft, case, author):
    typed(draft, case, author, "before the pause")
    Edit.objects.update(at=timezone.now() - PAUSE * 2)
    typed(draft, case, author, "after it")
    editing.undo(draft, author)
    assert text_of(case) == "before the pause"
    editing.apply(draft, [Change(case.kind, case.pk, "/x", 1)], author, label="Change the value")
    typed(draft, case, author, "one", "two", label="")
    editing.undo(draft, author)
    assert text_of(case) == "one"
