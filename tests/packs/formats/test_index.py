from packs.formats.adapter import Node
from packs.formats.document import Asset, Case, Challenge, InputSet, NodeKind, Pack
from packs.formats.findings import Rule, render_path
from packs.formats.index import TreeIndex, check_each, each_node
from packs.formats.node_paths import NodePaths


def case(key, challenge_key="c"):
    return Case(key, challenge_key, {"case_key": key})


def index_of(*sets, challenges=(), assets=()):
    return TreeIndex(Pack("f", "p", {"pack": {}}, tuple(challenges), tuple(sets), tuple(assets)))


def test_a_challenge_and_an_asset_are_found_by_their_trimmed_key_and_the_first_wins():
    index = index_of(
        challenges=[Challenge(" a ", {"first": True}), Challenge("a", {})],
        assets=[Asset("b", "p", {"first": True}), Asset(" b", "q", {})],
    )
    assert index.challenge("a") == {"first": True}
    assert index.asset("b") == {"first": True}
    assert index.challenge("b") is None
    assert index.asset("") is None


def test_the_challenge_of_a_set_is_that_of_its_first_case_that_names_one():
    index = index_of(InputSet("s", {}, (case("1", " "), case("2", " x "), case("3", "y"))), InputSet("t", {}))
    assert index.set_challenge_key(0) == "x"
    assert index.set_challenge_key(1) == ""
    assert index.set_challenge_key(9) == ""


def test_only_a_pack_with_one_challenge_has_an_only_challenge():
    one, other = Challenge(" a ", {}), Challenge("b", {})
    keys = [index_of(challenges=given).only_challenge_key() for given in ((), (one,), (one, other))]
    assert keys == ["", "a", ""]


def test_cases_are_counted_for_each_set():
    index = index_of(InputSet("s", {}, (case("1"), case("2"))), InputSet("t", {}))
    assert [index.case_count(position) for position in (0, 1, 2, -1)] == [2, 0, 0, 0]


def test_a_case_is_repeated_only_within_its_set_and_challenge_and_only_after_the_first():
    index = index_of(InputSet("s", {}, (case("1"), case(" 1"), case("1", "d"))), InputSet("t", {}, (case("1"),)))

    def repeated(key, challenge_key, parent, position):
        return index.is_repeated(Node(NodeKind.CASE, {}, key, challenge_key, parent, position))

    assert not repeated("1", "c", 0, 0)
    assert repeated("1", "c", 0, 1)
    assert not repeated("1", "d", 0, 2)
    assert not repeated("1", "c", 1, 0)
    assert repeated("1", "c", 1, 7)
    assert not repeated("1", "c", 5, 3)


def test_a_challenge_set_or_asset_is_repeated_after_the_first_with_its_key():
    index = index_of(
        InputSet("a", {}), InputSet("a", {}), challenges=[Challenge("a", {})], assets=[Asset("a", "", {})] * 2
    )
    found = {
        kind: [index.is_repeated(Node(kind, {}, "a", position=position)) for position in (0, 1)]
        for kind in (NodeKind.CHALLENGE, NodeKind.INPUT_SET, NodeKind.ASSET, NodeKind.PACK)
    }
    assert found == {
        NodeKind.CHALLENGE: [False, True],
        NodeKind.INPUT_SET: [False, True],
        NodeKind.ASSET: [False, True],
        NodeKind.PACK: [False, False],
    }


def test_a_folder_is_there_when_the_key_of_an_asset_lies_below_it():
    index = index_of(assets=[Asset("files/data/a.txt", "files/data/a.txt", {})])
    asked = ("files", "files/data", "files/data/a.txt", "files/dat", "data", "")
    assert [index.has_assets_at(path) for path in asked] == [True, True, True, False, False, False]


WHOLE = Pack(
    "f",
    "p",
    {"pack": {}},
    (Challenge("c", {}),),
    (InputSet("s", {}), InputSet("t", {}, (case("a"), case("b"), case("a")))),
    (Asset("x", "x", {}),),
)


def test_nodes_come_in_the_order_of_the_tree_with_their_addresses():
    assert [(node.address, node.document) for node in each_node(WHOLE)] == list(WHOLE.nodes())


def test_each_node_is_checked_and_its_findings_have_their_place_in_the_pack():
    rule = Rule("f.E001", "There is {what} before.")

    def check_node(index, node):
        if index.is_repeated(node):
            yield rule.at(("case_key",), what=node.key)

    found = check_each(WHOLE, check_node, NodePaths(input_sets=("rounds",), cases="questions").path_of)
    assert [(render_path(each.path), each.message) for each in found] == [
        ("rounds[1].questions[2].case_key", "There is a before.")
    ]
