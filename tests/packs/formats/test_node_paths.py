import pytest

from packs.formats.document import Address, NodeKind
from packs.formats.findings import Rule
from packs.formats.node_paths import NodePaths

PATHS = NodePaths(assets=("version", "assets"))
RULE = Rule("sample.E001", "Wrong.")
NODES = {
    Address(NodeKind.PACK): (),
    Address(NodeKind.CHALLENGE, (1,)): ("challenges", 1),
    Address(NodeKind.INPUT_SET, (2,)): ("input_sets", 2),
    Address(NodeKind.CASE, (2, 3)): ("input_sets", 2, "cases", 3),
    Address(NodeKind.ASSET, (4,)): ("version", "assets", 4),
}


@pytest.mark.parametrize(("address", "path"), NODES.items())
def test_a_finding_below_the_path_of_a_node_is_about_it(address, path):
    assert PATHS.path_of(address) == path
    assert PATHS.locate(RULE.at((*path, "key"))) == (address, ("key",))


def test_a_format_may_call_its_lists_otherwise():
    paths = NodePaths(input_sets=("rounds",), cases="questions")
    address = Address(NodeKind.CASE, (2, 3))
    assert paths.path_of(address) == ("rounds", 2, "questions", 3)
    assert paths.locate(RULE.at(("rounds", 2, "questions", 3, "key"))) == (address, ("key",))
    assert paths.locate(RULE.at(("rounds", 2, "cases"))) == (Address(NodeKind.INPUT_SET, (2,)), ("cases",))


@pytest.mark.parametrize("path", [("input_sets",), ("version", "number"), ("challenges", "x")])
def test_what_stands_beside_the_lists_is_about_the_pack(path):
    assert PATHS.locate(RULE.at(path)) == (Address(NodeKind.PACK), path)
