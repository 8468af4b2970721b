from packs import blobs, editing
from packs.editing.snapshots import snapshot
from packs.formats.document import NodeKind
from packs.models import Asset
from tests.packs.drafts import draft_of


def test_a_snapshot_of_a_set_holds_its_cases_with_their_ids(team):
    draft = draft_of(team)
    kept = snapshot(draft.input_sets.get())
    cases = draft.cases.order_by("position")
    assert [case["id"] for case in kept["cases"]] == [case.pk for case in cases]
    assert [case["document"] for case in kept["cases"]] == [case.document for case in cases]


def test_an_asset_comes_back_with_its_bytes(team, author):
    draft = draft_of(team)
    asset = editing.add_node(draft, NodeKind.ASSET, author, document={"key": "map", "path": "map.txt"}).node
    editing.set_asset_content(draft, asset, blobs.put(b"bytes"), author)
    editing.remove_node(draft, NodeKind.ASSET, asset, author)
    editing.undo(draft, author)
    assert blobs.read(Asset.objects.get(pk=asset).blob) == b"bytes"


def test_a_case_remembers_its_set(team):
    case = draft_of(team).cases.first()
    assert snapshot(case)["parent"] == case.input_set_id
