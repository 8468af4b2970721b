from packs.formats.document import Address, Asset, Case, Challenge, InputSet, NodeKind, Pack


def test_nodes_come_in_the_order_of_the_tree_each_with_its_address():
    first = InputSet("one", {"key": "one"}, (Case("a", "c", {"case_key": "a"}), Case("b", "c", {"case_key": "b"})))
    second = InputSet("two", {"key": "two"}, (Case("a", "c", {"case_key": "a"}),))
    pack = Pack(
        "challenge_pack",
        "p",
        {"pack": {}},
        challenges=(Challenge("c", {"key": "c"}),),
        input_sets=(first, second),
        assets=(Asset("x", "x.txt", {"key": "x"}),),
    )
    assert list(pack.nodes()) == [
        (Address(NodeKind.PACK), {"pack": {}}),
        (Address(NodeKind.ASSET, (0,)), {"key": "x"}),
        (Address(NodeKind.CHALLENGE, (0,)), {"key": "c"}),
        (Address(NodeKind.INPUT_SET, (0,)), {"key": "one"}),
        (Address(NodeKind.CASE, (0, 0)), {"case_key": "a"}),
        (Address(NodeKind.CASE, (0, 1)), {"case_key": "b"}),
        (Address(NodeKind.INPUT_SET, (1,)), {"key": "two"}),
        (Address(NodeKind.CASE, (1, 0)), {"case_key": "a"}),
    ]
