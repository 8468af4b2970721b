from dataclasses import replace

import pytest

from packs.formats import challenge_pack
from packs.formats.challenge_pack.keys import identify
from packs.formats.challenge_pack.reader import case_node
from packs.formats.document import Asset, Challenge, InputSet, NodeKind, Pack
from packs.formats.index import TreeIndex


def fresh_pack():
    """A pack made of starting documents alone, each with an index of what was there before."""
    pack = Pack("challenge_pack", "new-pack", challenge_pack.new_document(NodeKind.PACK, None))
    challenge = challenge_pack.new_document(NodeKind.CHALLENGE, TreeIndex(pack))
    pack = replace(pack, challenges=(Challenge(challenge["key"], challenge),))
    document = challenge_pack.new_document(NodeKind.INPUT_SET, TreeIndex(pack))
    first = {**challenge_pack.new_document(NodeKind.CASE, None), "challenge_key": challenge["key"]}
    pack = replace(pack, input_sets=(InputSet(document["key"], document, (case_node(first),)),))
    second = challenge_pack.new_document(NodeKind.CASE, TreeIndex(pack), 0)
    cases = (case_node(first), case_node(second))
    return replace(pack, input_sets=(InputSet(document["key"], document, cases),))


def test_starting_documents_together_lack_only_what_an_author_knows():
    found = list(challenge_pack.check(fresh_pack()))
    assert [finding.field_path for finding in found if finding.is_error] == ["challenges[0].title"]


def test_a_new_case_has_the_inputs_that_its_challenge_uses_and_the_expectations_that_the_checks_use():
    pack = fresh_pack()
    asked = Challenge(
        "challenge-1", {**pack.challenges[0].document, "instructions": "{{parcel}} in {{ hub }}, {{parcel}}"}
    )
    case = challenge_pack.new_document(NodeKind.CASE, TreeIndex(replace(pack, challenges=(asked,))), 0)
    assert [item["key"] for item in case["inputs"]] == ["parcel", "hub"]
    assert [item["key"] for item in case["expectations"]] == ["answer"]


def test_a_new_case_belongs_to_the_challenge_of_its_set_and_has_a_free_key():
    cases = fresh_pack().input_sets[0].cases
    assert [(case.key, case.challenge_key) for case in cases] == [("case-1", "challenge-1"), ("case-2", "challenge-1")]


def test_the_first_case_of_a_new_set_poses_the_only_challenge():
    pack = fresh_pack()
    pack = replace(pack, input_sets=(*pack.input_sets, InputSet("set-2", {"key": "set-2", "name": "Second"})))
    assert challenge_pack.new_document(NodeKind.CASE, TreeIndex(pack), 1)["challenge_key"] == "challenge-1"
    second = Challenge("other", {**pack.challenges[0].document, "key": "other"})
    several = replace(pack, challenges=(*pack.challenges, second))
    assert challenge_pack.new_document(NodeKind.CASE, TreeIndex(several), 1)["challenge_key"] == ""


@pytest.mark.parametrize("kind", [NodeKind.CHALLENGE, NodeKind.INPUT_SET, NodeKind.ASSET])
def test_a_new_key_is_free(kind):
    pack = replace(fresh_pack(), assets=(Asset("file-1", "p", {"key": "file-1", "path": "p"}),))
    taken = {identify(address.kind, document)[0] for address, document in pack.nodes() if address.kind is kind}
    assert identify(kind, challenge_pack.new_document(kind, TreeIndex(pack)))[0] not in taken


@pytest.mark.parametrize("kind", list(NodeKind))
def test_a_starting_document_is_in_canonical_form(kind):
    document = challenge_pack.new_document(kind, None)
    again, findings = challenge_pack.load_node(kind, challenge_pack.dump_node(kind, document))
    assert (again, findings) == (document, [])
