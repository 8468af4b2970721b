import pytest

from packs import blobs, editing
from packs.editing import FIRST, EditRefused
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.mirror import read_tree
from packs.models import Asset, Case, InputSet
from tests.packs.drafts import draft_of


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def hubs(draft):
    return draft.input_sets.get()


def keys(draft):
    return [case.key for case in read_tree(draft).input_sets[0].cases]


def id_of(draft, key):
    return draft.cases.get(key=key).pk


def test_a_new_case_stands_where_it_was_put(draft, hubs, author):
    document = {"challenge_key": "locate", "case_key": "new"}
    for after in (None, FIRST, id_of(draft, "case-0")):
        editing.add_node(draft, NodeKind.CASE, author, document=document, input_set=hubs.pk, after=after)
    assert keys(draft) == ["new", "case-0", "new", "case-1", "case-2", "new"]


def test_a_new_node_without_a_document_gets_one_that_the_format_proposes(draft, hubs, author):
    applied = editing.add_node(draft, NodeKind.CASE, author, input_set=hubs.pk)
    assert Case.objects.get(pk=applied.node).document


def test_a_case_needs_a_set_of_its_draft(draft, author, other_team):
    foreign = draft_of(other_team).input_sets.get()
    for given, code in ((None, "bad_place"), (foreign.pk, "no_such_node")):
        with pytest.raises(EditRefused) as refused:
            editing.add_node(draft, NodeKind.CASE, author, input_set=given)
        assert refused.value.code == code


def test_new_nodes_find_room_between_neighbours_however_often(draft, hubs, author):
    first = id_of(draft, "case-0")
    for number in range(40):
        document = {"challenge_key": "locate", "case_key": f"n{number}"}
        editing.add_node(draft, NodeKind.CASE, author, document=document, input_set=hubs.pk, after=first)
    assert keys(draft) == ["case-0", *(f"n{number}" for number in reversed(range(40))), "case-1", "case-2"]


@pytest.mark.parametrize(
    ("key", "offset", "order"),
    [
        ("case-0", 1, ["case-1", "case-0", "case-2"]),
        ("case-0", 2, ["case-1", "case-2", "case-0"]),
        ("case-0", 9, ["case-1", "case-2", "case-0"]),
        ("case-2", -1, ["case-0", "case-2", "case-1"]),
        ("case-2", -9, ["case-2", "case-0", "case-1"]),
        ("case-0", -1, ["case-0", "case-1", "case-2"]),
        ("case-2", 1, ["case-0", "case-1", "case-2"]),
    ],
)
def test_a_case_moves_up_and_down_and_back_again(draft, author, key, offset, order):
    before = keys(draft)
    applied = editing.move_node(draft, NodeKind.CASE, id_of(draft, key), author, offset=offset)
    assert keys(draft) == order
    if applied.is_written:
        editing.undo(draft, author)
    assert keys(draft) == before


def test_a_case_moves_to_another_set(draft, author):
    other = editing.add_node(draft, NodeKind.INPUT_SET, author, document={"key": "depots", "name": "Depots"}).node
    moved = id_of(draft, "case-1")
    editing.move_node(draft, NodeKind.CASE, moved, author, input_set=other)
    assert Case.objects.get(pk=moved).input_set_id == other
    editing.undo(draft, author)
    assert keys(draft) == ["case-0", "case-1", "case-2"]


def test_a_copy_has_a_key_of_its_own_and_stands_behind(draft, author):
    for _ in range(2):
        editing.duplicate_node(draft, NodeKind.CASE, id_of(draft, "case-0"), author)
    assert keys(draft) == ["case-0", "case-0-copy-2", "case-0-copy", "case-1", "case-2"]
    assert draft.problem_errors == 0


def test_a_set_is_copied_with_its_cases(draft, hubs, author):
    applied = editing.duplicate_node(draft, NodeKind.INPUT_SET, hubs.pk, author)
    copy = InputSet.objects.get(pk=applied.node)
    assert copy.key == "hubs-copy"
    assert [case.key for case in copy.cases.order_by("position")] == keys(draft)
    assert applied.errors == 0


def test_removing_a_node_takes_its_problems_along(draft, hubs, author):
    editing.add_node(draft, NodeKind.CASE, author, document={"case_key": "bad"}, input_set=hubs.pk)
    assert draft.problem_errors > 0
    editing.remove_node(draft, NodeKind.CASE, id_of(draft, "bad"), author)
    assert draft.problem_errors == 0


def test_two_cases_with_one_key_are_told_and_the_second_is_right_again_when_the_first_goes(draft, hubs, author):
    document = draft.cases.get(key="case-0").document
    applied = editing.add_node(draft, NodeKind.CASE, author, document=document, input_set=hubs.pk)
    assert Case.objects.get(pk=applied.node).error_count == 1
    editing.remove_node(draft, NodeKind.CASE, draft.cases.order_by("position").first().pk, author)
    assert Case.objects.get(pk=applied.node).error_count == 0
    assert draft.problem_errors == 0


def test_cases_are_checked_again_when_their_challenge_goes_and_comes_back(draft, author):
    editing.remove_node(draft, NodeKind.CHALLENGE, draft.challenges.get().pk, author)
    assert draft.cases.filter(error_count=1).count() == 3
    editing.undo(draft, author)
    assert draft.problem_errors == 0


def test_the_cases_of_a_set_are_checked_again_when_another_challenge_leads_it(draft, author):
    first = draft.cases.order_by("position").first()
    change = editing.Change(NodeKind.CASE, first.pk, "/challenge_key", "other")
    editing.apply(draft, [change], author)
    assert draft.cases.filter(error_count__gt=0).count() == 3
    editing.undo(draft, author)
    assert draft.problem_errors == 0


def test_the_pack_itself_can_be_neither_removed_nor_copied(draft, author):
    for act in (editing.remove_node, editing.duplicate_node):
        with pytest.raises(EditRefused) as refused:
            act(draft, NodeKind.PACK, draft.pk, author)
        assert refused.value.code == "bad_place"


def test_the_bytes_of_an_asset_come_and_go_with_undo(draft, author):
    document = {"key": "map", "path": "map.txt"}
    asset = editing.add_node(draft, NodeKind.ASSET, author, document=document).node
    editing.set_asset_content(draft, asset, blobs.put(b"one"), author)
    editing.set_asset_content(draft, asset, blobs.put(b"two"), author)
    editing.undo(draft, author)
    assert blobs.read(Asset.objects.get(pk=asset).blob) == b"one"
    editing.undo(draft, author)
    assert Asset.objects.get(pk=asset).blob is None


def test_a_place_behind_a_node_elsewhere_is_refused(draft, hubs, author):
    with pytest.raises(EditRefused) as refused:
        editing.add_node(draft, NodeKind.CASE, author, document={}, input_set=hubs.pk, after=10**9)
    assert refused.value.code == "bad_place"
    assert keys(draft) == ["case-0", "case-1", "case-2"]


def test_a_kind_that_the_format_does_not_have_is_refused(team, author):
    files = {"manifest.yaml": b"id: quiz\nversion: 1\n", "tasks.jsonl": b""}
    quiz = import_pack(team, author, files, "quiz")
    with pytest.raises(EditRefused) as refused:
        editing.add_node(quiz, NodeKind.CHALLENGE, author)
    assert refused.value.code == "bad_place"
