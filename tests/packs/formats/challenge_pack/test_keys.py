import pytest

from packs.formats import challenge_pack
from packs.formats.document import NodeKind, Pack


@pytest.mark.parametrize(("number", "expected"), [(3, 3), (0, None), (True, None), ("3", None), (None, None)])
def test_only_a_positive_whole_number_is_a_version_number(number, expected):
    pack = Pack("challenge_pack", "s", {"version": {"number": number}})
    assert challenge_pack.version_number(pack) == expected


@pytest.mark.parametrize(
    ("kind", "document", "expected"),
    [
        (NodeKind.PACK, {"pack": {"slug": " parcels "}}, ("parcels", "")),
        (NodeKind.PACK, {"pack": "parcels"}, ("", "")),
        (NodeKind.CASE, {"item_key": "a", "challenge_key": "locate"}, ("a", "locate")),
        (NodeKind.CASE, {"case_key": "b", "item_key": "a"}, ("b", "")),
        (NodeKind.CHALLENGE, {"key": 7}, ("", "")),
    ],
)
def test_a_node_is_known_by_the_keys_that_its_document_states(kind, document, expected):
    assert challenge_pack.identify(kind, document) == expected
