from packs.formats.adapter import Above
from packs.formats.benchmark_pack.naming import names, path_of
from packs.formats.document import NodeKind

FILES = {"assets/map/a.txt": b"", "hidden/run.sh": b""}


def meant(sort, name, pack=None):
    return path_of(sort, NodeKind.CASE, {}, Above(pack or {}), name, FILES)


def test_a_row_names_files_below_the_root_of_those_who_may_see_them():
    found = names(NodeKind.CASE, {}, Above({}), FILES)
    assert found["public_files"] == ["map/a.txt", "map"]
    assert found["hidden_files"] == ["run.sh"]


def test_a_new_file_lies_below_the_root_that_the_manifest_states():
    assert meant("hidden_files", "./check.py") == "hidden/check.py"
    assert meant("public_files", "a.txt", {"asset_roots": {"public": "given"}}) == "given/a.txt"
    assert meant("public_files", "../hidden/run.sh") == ""
