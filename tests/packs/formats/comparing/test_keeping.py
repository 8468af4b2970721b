from dataclasses import replace
from io import BytesIO
from random import Random

from packs.formats import adapter_of
from packs.formats.comparing import Kept, compare_packs, heads_of, node_dict, summary, write_kept
from packs.formats.document import Asset, File
from tests.packs.formats.comparing.edited import edited
from tests.packs.formats.comparing.test_trees import case, pack

ADAPTER = adapter_of("challenge_pack")


def kept(found, **more):
    data = b"".join(write_kept(found, more))
    return Kept(lambda: BytesIO(data))


def test_a_kept_difference_says_the_same_whatever_was_edited():
    base = replace(
        pack(("s", [case(f"k{number}", q=number) for number in range(6)]), ("t", [case("a", q="words and words")])),
        assets=(Asset("one", "one.txt", {"key": "one"}, b"x" * 100, True),),
        files=(File("more.txt", b"first"),),
    )
    for seed in range(60):
        found = compare_packs(ADAPTER, base, edited(ADAPTER, Random(seed), base))
        read = kept(found)
        assert [node_dict(node) for node in read] == [node_dict(node) for node in found.nodes]
        assert [(node.before, node.after, node.delta) for node in read] == [
            (node.before, node.after, node.delta) for node in found.nodes
        ]
        assert summary(heads_of(read)) == summary(found.nodes)


def test_long_bytes_are_kept_as_different_ones_of_their_length():
    sides = [
        replace(pack(), files=(File("more.bin", bytes([byte]) * 5_000),), assets=(Asset("a", "a", {}, b"\1" * byte),))
        for byte in (65, 66)
    ]
    found = kept(compare_packs(ADAPTER, *sides), conflicts=["one"])
    assert [node.has_other_bytes for node in found] == [True, True]
    assert len(found[-1].new.content) == 5_000
    assert found.more == {"conflicts": ["one"]}
