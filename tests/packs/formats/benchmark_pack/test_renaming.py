import pytest

from packs.formats.adapter import Above
from packs.formats.benchmark_pack.renaming import renamed
from packs.formats.document import NodeKind

PACK = {"asset_roots": {"public": "shown/", "eval": "kept/"}}
ROW = {
    "id": "a",
    "assets": [{"path": "data/./a.txt"}, {"path": "a.txt", "mount": "b.txt"}],
    "eval": {"run_tests": {"path": "a.txt"}, "expected_state": {"path": "a.txt", "content": "x"}},
}


def follow(old, new, kind=NodeKind.CASE, what=NodeKind.ASSET):
    return renamed(kind, ROW, what, {old: new}, Above(PACK))


def test_a_row_follows_the_files_below_its_own_roots():
    assert follow("shown/data/a.txt", "shown/b.txt")["assets"] == [{"path": "b.txt"}, ROW["assets"][1]]
    assert follow("shown/a.txt", "shown/c.txt")["assets"] == [ROW["assets"][0], {"path": "c.txt", "mount": "b.txt"}]
    found = follow("kept/a.txt", "kept/tests/b.txt")
    assert found["eval"] == {**ROW["eval"], "run_tests": {"path": "tests/b.txt"}}
    assert found["assets"] == ROW["assets"]


@pytest.mark.parametrize(
    ("old", "new"), [("assets/a.txt", "assets/b.txt"), ("shown/a.txt", "kept/a.txt"), ("shown/z.txt", "shown/b.txt")]
)
def test_other_files_and_files_that_leave_their_root_are_not_followed(old, new):
    assert follow(old, new) is ROW


def test_files_that_change_places_are_followed_both():
    names = {"shown/data/a.txt": "shown/a.txt", "shown/a.txt": "shown/data/a.txt"}
    found = renamed(NodeKind.CASE, ROW, NodeKind.ASSET, names, Above(PACK))
    assert found["assets"] == [{"path": "a.txt"}, {"path": "data/a.txt", "mount": "b.txt"}]


def test_only_rows_name_files():
    assert follow("shown/a.txt", "shown/b.txt", kind=NodeKind.INPUT_SET) is ROW
    assert follow("shown/a.txt", "shown/b.txt", what=NodeKind.CHALLENGE) is ROW
