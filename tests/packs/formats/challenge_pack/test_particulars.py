import pytest

from packs.formats.challenge_pack.particulars import lineage, stored_files, title
from packs.formats.document import NodeKind

UUID = "8d0c7d8e-0d2c-4f0e-9f5c-0d8f3a1b2c3d"


def test_identity_is_compared_as_it_is_stored():
    one = lineage({"pack": {"slug": "p", "name": "P", "family": "Care"}})
    assert one == lineage({"pack": {"slug": " p", "name": "P ", "family": " care", "description": "other"}})
    assert one != lineage({"pack": {"slug": "p", "name": "p", "family": "care"}})


@pytest.mark.parametrize("document", [{}, {"pack": None}, {"pack": []}, {"pack": {"name": 5}}])
def test_a_pack_without_a_name_has_no_title(document):
    assert title(document) == ""
    assert set(lineage(document).values()) == {""}


def test_stored_files_are_found_wherever_assets_stand():
    asset = {"key": "a", "path": "a", "artifact_id": UUID}
    assert list(stored_files(NodeKind.ASSET, asset)) == [(("artifact_id",), UUID)]
    for kind in (NodeKind.CHALLENGE, NodeKind.CASE):
        assert list(stored_files(kind, {"assets": [{}, asset]})) == [(("assets", 1, "artifact_id"), UUID)]
    assert list(stored_files(NodeKind.ASSET, {**asset, "artifact_id": f" {UUID} "})) == [(("artifact_id",), UUID)]
    odd_assets = ("x", [5], [{"artifact_id": 5}], [{"artifact_id": " "}])
    for odd in (*({"assets": assets} for assets in odd_assets), {}):
        assert list(stored_files(NodeKind.CASE, odd)) == []
