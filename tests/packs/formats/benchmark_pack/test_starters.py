import pytest

from packs.formats.benchmark_pack import check, load
from packs.formats.benchmark_pack.families import ACTIVE
from packs.formats.benchmark_pack.starters import identified, new_document, starter
from packs.formats.document import NodeKind
from packs.formats.index import TreeIndex
from tests.packs.formats.benchmark_pack.samples import MANIFEST, STARTS, pack_files


@pytest.mark.parametrize("family", list(ACTIVE))
def test_a_new_row_is_of_the_default_family_and_lacks_only_what_its_author_knows(family):
    manifest = {**MANIFEST, "defaults": {**MANIFEST["defaults"], "family": family}}
    pack, _ = load(pack_files(manifest, rows=[]))
    row = new_document(NodeKind.CASE, TreeIndex(pack))
    filled = {**row, **STARTS[family]}
    assert [part.keys() - row[name].keys() for name, part in STARTS[family].items() if name == "input"] == [set()]
    again, _ = load(pack_files(manifest, rows=[filled]))
    assert [finding.as_dict() for finding in check(again)] == []


def test_new_nodes_get_names_that_are_free():
    pack, _ = load(pack_files(rows=[{"id": "row-1"}], beside={"assets/file-1.txt": ""}))
    index = TreeIndex(pack)
    assert new_document(NodeKind.CASE, index)["id"] == "row-2"
    assert new_document(NodeKind.ASSET, index) == {"path": "assets/file-2.txt"}
    assert new_document(NodeKind.INPUT_SET, index) == {"file": "tasks-2.jsonl"}


def test_a_copy_is_known_by_its_new_name():
    assert identified({"id": "old", "version": 3}, "new", "New one") == {"id": "New one", "version": 3}
    assert starter("mine", "Mine").key == "Mine"
