import pytest

from packs.formats.challenge_pack.reader import case_node
from packs.formats.challenge_pack.stored import as_json, stored_document


def stored(**document):
    return stored_document(case_node({"challenge_key": "c", "case_key": "k", **document}))


def test_a_case_of_payload_alone_is_stored_as_its_payload():
    assert stored(payload={"a": 1}) == {"a": 1}
    assert stored() == {}


@pytest.mark.parametrize(
    "empty", [{"inputs": []}, {"case_timeout_seconds": 0}, {"assets": []}, {"user_simulator": None}]
)
def test_what_is_empty_does_not_wrap_the_payload(empty):
    assert stored(payload={"a": 1}, **empty) == {"a": 1}


@pytest.mark.parametrize(
    "more",
    [
        {"inputs": [{"key": "i", "kind": "t"}]},
        {"expectations": [{"key": "i", "kind": "t"}]},
        {"artifacts": [{"key": "a"}]},
        {"assets": [{"key": "a", "path": "p"}]},
        {"case_timeout_seconds": 9},
        {"user_simulator": {}},
    ],
)
def test_each_of_the_other_fields_wraps_it(more):
    assert stored(payload={"a": 1}, **more) == {"schema_version": 1, "case_key": "k", "payload": {"a": 1}, **more}


def test_fields_are_stored_in_the_order_of_the_format():
    document = stored(
        case_timeout_seconds=5,
        assets=[{"path": "p", "key": "a", "media_type": "m"}],
        artifacts=[{"key": "x"}],
        user_simulator={"kind": "hybrid", "schema_version": 1},
        expectations=[{"source": "s", "key": "e", "kind": "t"}],
        inputs=[{"path": "p", "value": 1, "kind": "t", "key": "i", "own": 1}],
        payload={"b": 1, "a": 2},
    )
    assert list(document) == [
        *("schema_version", "case_key", "payload", "inputs", "expectations", "user_simulator", "artifacts", "assets"),
        "case_timeout_seconds",
    ]
    assert list(document["inputs"][0]) == ["key", "kind", "value", "path"]
    assert list(document["assets"][0]) == ["key", "path", "media_type"]
    assert list(document["user_simulator"]) == ["schema_version", "kind"]
    assert list(document["payload"]) == ["b", "a"]


@pytest.mark.parametrize("value", [0, False, "", [], {}])
def test_an_empty_value_is_stored_and_a_null_is_not(value):
    document = stored(inputs=[{"key": "i", "kind": "t", "value": value}, {"key": "j", "kind": "t", "value": None}])
    assert document["inputs"] == [{"key": "i", "kind": "t", "value": value}, {"key": "j", "kind": "t"}]


def test_keys_that_are_always_stored_are_there_even_when_empty():
    assert stored(inputs=[{}], assets=[{}])["inputs"] == [{"key": "", "kind": ""}]
    assert stored(assets=[{}])["assets"] == [{"key": "", "path": ""}]


def test_numbers_without_a_fraction_are_stored_as_whole_ones_as_far_as_64_bits_hold_them():
    assert repr(as_json([1.0, 1.5, -3.0, 1e19, {"a": 2.0}])) == "[1, 1.5, -3, 10000000000000000000, {'a': 2}]"
    assert repr(as_json([1e20, -1e19, 1e300])) == "[1e+20, -1e+19, 1e+300]"


def test_an_artifact_id_is_stored_in_its_plain_spelling():
    assets = [{"key": "a", "path": "p", "artifact_id": "URN:UUID:5B8F0C1E-8D1C-4D7E-9F65-0A2B3C4D5E6F"}]
    assert stored(assets=assets)["assets"][0]["artifact_id"] == "5b8f0c1e-8d1c-4d7e-9f65-0a2b3c4d5e6f"
