import pytest

from packs.formats.benchmark_pack.addresses import locate, path_of, place
from packs.formats.benchmark_pack.checks.manifest import UNKNOWN_KEY
from packs.formats.document import Address, NodeKind
from tests.packs.formats.benchmark_pack.samples import pack_files

PLACES = [
    (Address(NodeKind.PACK), ("manifest",)),
    (Address(NodeKind.INPUT_SET, (1,)), ("rows", 1)),
    (Address(NodeKind.CASE, (1, 7)), ("rows", 1, 7)),
    (Address(NodeKind.ASSET, (2,)), ("files", 2)),
]


def at(*path):
    return UNKNOWN_KEY.at(path, name="x", advice="")


@pytest.mark.parametrize(("address", "path"), PLACES)
def test_a_node_is_found_again_by_its_path(address, path):
    assert path_of(address) == path
    assert locate(at(*path, "id", 0)) == (address, ("id", 0))


def test_findings_about_files_name_them():
    files = pack_files(beside={"assets/a.txt": "x"})
    placed = place(
        {f"deep/{name}": data for name, data in files.items()}, [at("files", 0, "path"), at("rows", 0, "file")]
    )
    assert [(finding.file, finding.line) for finding in placed] == [("deep/assets/a.txt", 0), ("deep/tasks.jsonl", 1)]
