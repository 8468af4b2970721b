import pytest

from packs import editing
from packs.editing import ABSENT, Change, EditRefused
from packs.editing.restoring import before, restore_field, restore_node, restore_tree
from packs.formats import adapter_of
from packs.formats.comparing import Act, compare_packs, inverted
from packs.formats.comparing.values import compare, fields, same
from packs.formats.document import NodeKind
from packs.mirror import read_tree
from tests.packs.drafts import draft_of, pack_text

CASES = 4


@pytest.fixture
def draft(team):
    return draft_of(team, pack_text(CASES))


def back_to(draft, tree):
    return inverted(compare_packs(adapter_of(draft.format), tree, read_tree(draft)))


def restore_all(draft, tree, author, key):
    back = back_to(draft, tree)
    (change,) = [node for node in back.nodes if node.key == key]
    return restore_node(draft, back, change, author, label="Restored")


def keys(draft):
    return [case.key for found in read_tree(draft).input_sets for case in found.cases]


def test_a_removed_case_comes_back_at_its_place_and_can_be_undone(draft, author):
    tree = read_tree(draft)
    editing.remove_node(draft, NodeKind.CASE, draft.cases.get(key="case-1").pk, author)
    editing.apply(draft, [Change(NodeKind.CASE, draft.cases.get(key="case-3").pk, "/x", 1)], author)
    restore_all(draft, tree, author, "case-1")
    assert keys(draft) == ["case-0", "case-1", "case-2", "case-3"]
    assert draft.cases.get(key="case-3").document["x"] == 1
    editing.undo(draft, author)
    assert keys(draft) == ["case-0", "case-2", "case-3"]


def test_a_removed_set_comes_back_with_its_cases(draft, author):
    tree = read_tree(draft)
    editing.remove_node(draft, NodeKind.INPUT_SET, draft.input_sets.get().pk, author)
    added = editing.add_node(draft, NodeKind.INPUT_SET, author, document={"key": "new", "name": "New"})
    editing.add_node(draft, NodeKind.CASE, author, document={"case_key": "n"}, input_set=added.node)
    restore_all(draft, tree, author, "hubs")
    assert [found.key for found in read_tree(draft).input_sets] == ["hubs", "new"]
    assert keys(draft) == ["case-0", "case-1", "case-2", "case-3", "n"]


def test_a_case_of_a_removed_set_needs_its_set_first(draft, author):
    tree = read_tree(draft)
    editing.remove_node(draft, NodeKind.INPUT_SET, draft.input_sets.get().pk, author)
    with pytest.raises(EditRefused, match="input set"):
        restore_all(draft, tree, author, "case-1")


def test_an_added_set_goes_with_its_cases_and_the_others_stay(draft, author):
    tree = read_tree(draft)
    first = editing.add_node(draft, NodeKind.INPUT_SET, author, document={"key": "new"}, after=editing.FIRST)
    editing.add_node(draft, NodeKind.CASE, author, document={"case_key": "n"}, input_set=first.node)
    restore_all(draft, tree, author, "new")
    assert read_tree(draft) == tree


def test_a_changed_and_a_moved_case_come_back_alone(draft, author):
    tree = read_tree(draft)
    case = draft.cases.get(key="case-3")
    editing.apply(draft, [Change(NodeKind.CASE, case.pk, "/x", 1)], author)
    editing.move_node(draft, NodeKind.CASE, case.pk, author, after=editing.FIRST)
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/x-own", 1)], author)
    restore_all(draft, tree, author, "case-3")
    assert keys(draft) == ["case-0", "case-1", "case-2", "case-3"]
    assert draft.cases.get(pk=case.pk).document == case.document
    draft.refresh_from_db()
    assert draft.document["x-own"] == 1


def test_one_field_comes_back(draft, author):
    case = draft.cases.get(key="case-0")
    old = case.document
    editing.apply(draft, [Change(NodeKind.CASE, case.pk, "/inputs/0/value", "Changed")], author)
    editing.apply(draft, [Change(NodeKind.CASE, case.pk, "/expectations", ABSENT)], author)
    now = draft.cases.get(pk=case.pk).document
    (field,) = [found for found in fields(compare(old, now)) if found.act is Act.CHANGED]
    restore_field(draft, NodeKind.CASE, case.pk, now, field, author)
    restored = draft.cases.get(pk=case.pk).document
    assert restored["inputs"] == old["inputs"]
    assert "expectations" not in restored


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1, "b": 2}, {"b": 2}),
        ({"b": 2}, {"a": 1, "b": 2}),
        ({"l": ["a", "b", "c"]}, {"l": ["a", "c"]}),
        ({"l": ["a", "c"]}, {"l": ["a", "b", "c"]}),
        ({"l": [{"key": "a"}, {"key": "b"}]}, {"l": [{"key": "b"}, {"key": "a"}]}),
        ({"l": [{"key": "a", "v": 1}, {"key": "b"}]}, {"l": [{"key": "a", "v": 2}, {"key": "b"}]}),
    ],
)
def test_a_field_comes_back_whatever_happened_to_it(old, new):
    (field,) = fields(compare(old, new))
    found = before(new, field)
    assert found == old
    assert same(found.get("l"), old.get("l"))


def test_the_order_of_keys_does_not_come_back_alone():
    old, new = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    (field,) = fields(compare(old, new))
    with pytest.raises(EditRefused):
        before(new, field)


def test_a_version_comes_back_as_one_edit(draft, author):
    tree = read_tree(draft)
    for case in draft.cases.all()[:2]:
        editing.remove_node(draft, NodeKind.CASE, case.pk, author)
    restore_tree(draft, tree, author, label="Restored version 1")
    assert read_tree(draft) == tree
    assert editing.history(draft)[0].label == "Restored version 1"
    editing.undo(draft, author)
    assert len(keys(draft)) == CASES - 2
