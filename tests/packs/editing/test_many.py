import pytest

from packs import editing
from packs.editing import Change, EditRefused, many
from packs.formats.document import NodeKind
from packs.mirror import read_tree
from tests.packs.grid.benchmark import grid_draft, row, rows_of

# Few cases are changed one by one, many in another way: both must do the same.
SIZES = (6, 230)


@pytest.fixture(params=SIZES)
def draft(request, team):
    return grid_draft(team, rows_of(request.param))


def keys(draft, input_set=None):
    rows = draft.cases if input_set is None else input_set.cases
    return list(rows.order_by("input_set__position", "position").values_list("key", flat=True))


def ids(draft):
    return list(draft.cases.order_by("position").values_list("pk", flat=True))


def unchanged_by_undo_and_redo(draft, author, act):
    """Carry out an act; undo gives the draft as it was, redo what the act made of it."""
    before, problems = read_tree(draft), draft.problem_errors
    first = list(draft.cases.order_by("pk").values_list("pk", "key"))
    applied = act()
    after = read_tree(draft)
    assert applied.is_written
    assert after != before
    editing.undo(draft, author)
    assert read_tree(draft) == before
    assert list(draft.cases.order_by("pk").values_list("pk", "key")) == first
    assert draft.problem_errors == problems
    editing.redo(draft, author)
    assert read_tree(draft) == after
    return applied


def test_values_change_and_rows_come_in_one_step(draft, author):
    changes = [Change(NodeKind.CASE, pk, "/metadata/level", "set") for pk in ids(draft)]
    rows_file = draft.input_sets.get()

    def act():
        return many.change_cases(draft, author, changes, input_set=rows_file.pk, added=[row(1000), row(1)])

    unchanged_by_undo_and_redo(draft, author, act)
    assert keys(draft)[-2:] == ["row-1000", "row-1"]
    assert draft.cases.order_by("position").last().error_count == 1
    assert draft.problem_errors == 1
    assert draft.edits.values("group").distinct().count() == 1


def test_removed_rows_take_their_problems_along(draft, author):
    broken = ids(draft)[1]
    editing.apply(draft, [Change(NodeKind.CASE, broken, "/input", {})], author)
    assert draft.problem_errors
    unchanged_by_undo_and_redo(draft, author, lambda: many.remove_cases(draft, ids(draft)[:-1], author))
    assert len(ids(draft)) == 1
    assert draft.problem_errors == 0


def test_copies_stand_at_the_end_under_keys_of_their_own(draft, author):
    many.duplicate_cases(draft, ids(draft)[:1], author)
    total = len(ids(draft)) - 1
    unchanged_by_undo_and_redo(draft, author, lambda: many.duplicate_cases(draft, ids(draft)[:total], author))
    assert keys(draft)[total : total + 3] == ["row-0-copy", "row-0-copy-2", "row-1-copy"]
    assert len(set(keys(draft))) == len(keys(draft))
    assert draft.problem_errors == 0


@pytest.mark.parametrize("first", [True, False])
def test_moved_rows_keep_their_order(draft, author, first):
    chosen = ids(draft)[2:][::2]
    rows_file = draft.input_sets.get()

    def act():
        return many.move_cases(draft, chosen, author, input_set=rows_file.pk, first=first)

    unchanged_by_undo_and_redo(draft, author, act)
    found = ids(draft)
    assert (found[: len(chosen)] if first else found[-len(chosen) :]) == chosen


def test_rows_move_to_another_set(draft, author):
    other = editing.add_node(draft, NodeKind.INPUT_SET, author, document={"file": "more.jsonl"}).node
    chosen = ids(draft)[1:]
    unchanged_by_undo_and_redo(draft, author, lambda: many.move_cases(draft, chosen, author, input_set=other))
    assert draft.input_sets.get(pk=other).cases.count() == len(chosen)


def test_nothing_is_written_when_one_change_is_refused(draft, author):
    changes = [Change(NodeKind.CASE, pk, "/metadata/a/b", 1) for pk in ids(draft)]
    with pytest.raises(EditRefused):
        many.change_cases(draft, author, changes)
    with pytest.raises(EditRefused):
        many.remove_cases(draft, [*ids(draft), 10**9], author)
    assert not draft.edits.exists()
