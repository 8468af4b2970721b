import pytest

from packs.formats.adapter import Above
from packs.formats.challenge_pack.renaming import is_fixed, renamed
from packs.formats.document import NodeKind

NO = Above({})
CHALLENGE, ASSET, CASE, PACK = NodeKind.CHALLENGE, NodeKind.ASSET, NodeKind.CASE, NodeKind.PACK


def test_a_case_follows_its_challenge():
    assert renamed(CASE, {"challenge_key": " a "}, CHALLENGE, {"a": "b"}, NO) == {"challenge_key": " b "}
    assert renamed(CASE, {"challenge_key": "ab"}, CHALLENGE, {"a": "b"}, NO) == {"challenge_key": "ab"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"artifacts": [{"key": "a"}, {"key": "ab"}]}, {"artifacts": [{"key": "b"}, {"key": "ab"}]}),
        ({"inputs": [{"artifact_key": "a"}]}, {"inputs": [{"artifact_key": "b"}]}),
        ({"expectations": [{"source": "artifact: a"}]}, {"expectations": [{"source": "artifact: b"}]}),
        ({"expectations": [{"source": "input:a"}]}, {"expectations": [{"source": "input:a"}]}),
        ({"payload": {"key": "a"}, "inputs": "a"}, {"payload": {"key": "a"}, "inputs": "a"}),
    ],
)
def test_the_references_of_a_case_follow_an_asset(before, after):
    assert renamed(CASE, before, ASSET, {"a": "b"}, NO) == after


def test_evidence_references_follow_an_asset():
    def pack(*references):
        return {"version": {"evaluation_spec": {"llm_judges": [{"context_from": list(references)}]}}}

    before = pack("artifact.a", "artifact.a.path", "artifact.ab", "case.inputs.a")
    assert renamed(PACK, before, ASSET, {"a": "b"}, NO) == pack(
        "artifact.b", "artifact.b.path", "artifact.ab", "case.inputs.a"
    )
    assert renamed(PACK, {"version": 5}, ASSET, {"a": "b"}, NO) == {"version": 5}


def test_a_tool_is_followed_by_tools_that_hand_on_to_it_and_by_checks_of_calls():
    checks = {"type": "tool_call_assertion", "config": {"tool_name": "look_up", "ordered_tools": ["look_up", "exec"]}}
    document = {
        "tools": {
            "custom": [
                {"name": "look_up", "implementation": {"type": "mock", "strategy": "static", "response": {}}},
                {"name": "track", "implementation": {"primitive": "look_up", "args": {}}},
            ]
        },
        "version": {"evaluation_spec": {"validators": [{"key": "calls", **checks}]}},
    }
    found = renamed(PACK, document, "tools", {"look_up": "find"}, NO)
    assert [tool["name"] for tool in found["tools"]["custom"]] == ["find", "track"]
    assert found["tools"]["custom"][1]["implementation"]["primitive"] == "find"
    assert found["version"]["evaluation_spec"]["validators"][0]["config"] == {
        "tool_name": "find",
        "ordered_tools": ["find", "exec"],
    }
    assert is_fixed("tools", "exec")
