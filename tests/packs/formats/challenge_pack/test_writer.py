import pytest
from hypothesis import HealthCheck, given, settings

from packs.formats import challenge_pack
from packs.formats.document import File, NodeKind, Pack
from tests.packs.formats.challenge_pack import generated

relaxed = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@relaxed
@given(generated.packs())
def test_what_is_written_is_read_back_as_the_same_pack(pack):
    files = challenge_pack.dump(pack)
    again, findings = challenge_pack.load(files)
    assert again == pack
    assert not [finding for finding in findings if finding.is_error]
    assert challenge_pack.dump(again) == files


@pytest.mark.parametrize("kind", list(NodeKind))
def test_what_the_lens_shows_is_read_back_as_the_same_document(kind):
    @relaxed
    @given(generated.documents(kind))
    def holds(document):
        text = challenge_pack.dump_node(kind, document)
        again, findings = challenge_pack.load_node(kind, text)
        assert again == document
        assert challenge_pack.dump_node(kind, again) == text
        assert not [finding for finding in findings if finding.is_error]

    holds()


def test_known_keys_come_in_their_order_and_unknown_ones_after_them():
    document = {"zeta": 1, "difficulty": "easy", "alpha": 2, "key": "k", "title": "T"}
    text = challenge_pack.dump_node(NodeKind.CHALLENGE, document)
    assert text == "key: k\ntitle: T\ndifficulty: easy\nzeta: 1\nalpha: 2\n"


def test_what_says_nothing_is_left_out_and_what_counts_by_its_presence_stays():
    document = {
        "pack": {"slug": "s", "description": ""},
        "version": {"number": 1, "sandbox": {"network_access": False, "env_vars": {}}, "tool_policy": {}},
        "tools": {},
        "security": {},
    }
    pack = Pack("challenge_pack", "s", document)
    text = challenge_pack.dump(pack)["pack.yaml"].decode()
    assert text == ("pack:\n  slug: s\nversion:\n  number: 1\n  sandbox:\n    network_access: false\nsecurity: {}\n")


def test_a_stated_zero_of_a_weight_or_threshold_is_kept():
    dimension = {"key": "d", "weight": 0, "pass_threshold": 0, "gate": False}
    spec = {"name": "s", "scorecard": {"dimensions": [dimension], "strategy": "weighted"}}
    text = challenge_pack.dump_node(NodeKind.PACK, {"version": {"number": 1, "evaluation_spec": spec}})
    assert "weight: 0" in text
    assert "pass_threshold: 0" in text
    assert "strategy: weighted" in text
    assert "gate" not in text


def test_the_assets_stand_before_the_evaluation_spec():
    pack, _ = challenge_pack.load(
        {"p": b"version: {evaluation_spec: {name: n}, number: 1, assets: [{key: a, path: b}]}"}
    )
    text = challenge_pack.dump(pack)["pack.yaml"].decode()
    assert text.index("number") < text.index("assets") < text.index("evaluation_spec")


def test_a_file_of_the_pack_that_has_the_name_of_the_pack_file_is_not_overwritten():
    pack = Pack("challenge_pack", "s", {"pack": {"slug": "s"}}, files=(File("pack.yaml", b"mine"),))
    files = challenge_pack.dump(pack)
    assert files["pack.yaml"] == b"mine"
    assert b"slug: s" in files["challenge-pack.yaml"]
