import pytest

from packs import blobs, editing
from packs.editing.replacing import plan, positions
from packs.formats import adapter_of, document
from packs.mirror import read_tree
from packs.models import SPACING, Asset, Edit
from tests.packs.drafts import draft_of, pack_text


def tree_of(text):
    tree, _ = adapter_of("challenge_pack").load({"pack.yaml": text})
    return tree


@pytest.mark.parametrize(
    ("present", "found"),
    [
        ([], []),
        ([None, None], [0, SPACING]),
        ([5, 9], [5, 9]),
        ([5, None], [5, 5 + SPACING]),
        ([None, 5], [5 - SPACING, 5]),
        ([0, None, 10], [0, 5, 10]),
        ([0, None, 1], [0, SPACING, 2 * SPACING]),
        ([9, 5], [0, SPACING]),
    ],
)
def test_newcomers_find_places_and_others_keep_theirs_where_possible(present, found):
    assert positions(present) == found


def test_a_plan_writes_nothing_and_is_empty_for_an_equal_tree(team):
    draft = draft_of(team)
    assert plan(draft, read_tree(draft)).is_empty
    steps = plan(draft, tree_of(pack_text(5)))
    assert [arrival.node.key for arrival in steps.added] == ["case-3", "case-4"]
    assert draft.cases.count() == 3


def test_only_what_differs_becomes_an_edit(team, author):
    draft = draft_of(team)
    text = pack_text().replace(b"Where is parcel case-1?", b"Where?")
    editing.replace_tree(draft, tree_of(text), author)
    (edit,) = Edit.objects.all()
    assert (edit.pointer, edit.new) == ("/inputs/0/value", ["Where?"])


def test_cases_with_one_key_are_paired_in_their_order(team, author):
    text = pack_text().replace(b"case-1", b"case-0")
    draft = draft_of(team, text)
    ids = list(draft.cases.order_by("position").values_list("pk", flat=True))
    editing.replace_tree(draft, tree_of(text.replace(b"Hub case-2", b"Hub")), author)
    assert list(draft.cases.order_by("position").values_list("pk", flat=True)) == ids
    assert read_tree(draft) == tree_of(text.replace(b"Hub case-2", b"Hub"))


def test_sets_challenges_and_assets_come_and_go_with_one_undo(team, author):
    draft = draft_of(team)
    before = read_tree(draft)
    asset = document.Asset("map", "map.txt", {"key": "map", "path": "map.txt"}, b"bytes")
    file = document.File("notes.txt", b"x")
    other = document.Pack(draft.format, before.key, before.document, assets=(asset,), files=(file,))
    applied = editing.replace_tree(draft, other, author)
    assert read_tree(draft) == other
    assert applied.errors > 0
    editing.undo(draft, author)
    assert read_tree(draft) == before
    editing.redo(draft, author)
    assert read_tree(draft) == other


def test_an_asset_without_bytes_keeps_those_it_has(team, author):
    draft = draft_of(team)
    asset = document.Asset("map", "map.txt", {"key": "map", "path": "map.txt"}, b"bytes")
    before = read_tree(draft)
    editing.replace_tree(draft, document.Pack(draft.format, before.key, before.document, assets=(asset,)), author)
    bare = document.Asset(asset.key, asset.path, asset.document)
    editing.replace_tree(draft, document.Pack(draft.format, before.key, before.document, assets=(bare,)), author)
    assert blobs.read(Asset.objects.get().blob) == b"bytes"
