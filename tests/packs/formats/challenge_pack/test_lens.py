import pytest

from packs.formats import challenge_pack, yamlio
from packs.formats.adapter import Node
from packs.formats.document import NodeKind
from packs.formats.index import TreeIndex


def codes(findings):
    return [finding.code.rpartition(".")[2] for finding in findings]


def test_lens_text_is_read_like_a_file():
    document, findings = challenge_pack.load_node(NodeKind.CASE, "case_key: 007\nitem_key: 007\npayload: {a: yes}\n")
    assert (document, findings) == ({"case_key": "007", "payload": {"a": "yes"}}, [])


@pytest.mark.parametrize("text", ["", "- a\n", "word"])
def test_text_that_is_no_mapping_gives_no_document(text):
    document, findings = challenge_pack.load_node(NodeKind.CHALLENGE, text)
    assert (document, codes(findings), findings[0].line) == (None, ["E011"], 1)


def test_broken_text_gives_no_document_and_a_line():
    document, findings = challenge_pack.load_node(NodeKind.CHALLENGE, "key: a\ntitle: 'open\n")
    assert document is None
    assert all(finding.line for finding in findings if finding.is_error)


@pytest.mark.parametrize(
    ("kind", "text", "line"),
    [
        (NodeKind.INPUT_SET, "key: a\ncases:\n- case_key: x\n", 3),
        (NodeKind.PACK, "pack: {}\nversion:\n  assets: [{key: a}]\n", 3),
        (NodeKind.PACK, "challenges: []\n", 1),
    ],
)
def test_nodes_inside_another_node_are_refused_not_lost(kind, text, line):
    document, findings = challenge_pack.load_node(kind, text)
    assert (document, codes(findings), findings[0].line) == (None, ["E012"], line)


def test_findings_about_a_node_get_their_line_in_the_lens():
    text = "key: a\ntitle: T\ndifficulty: odd\nsurprise: 1\n"
    document, _ = challenge_pack.load_node(NodeKind.CHALLENGE, text)
    pack, _ = challenge_pack.load({"p": b"pack: {slug: s}"})
    node = Node(NodeKind.CHALLENGE, document, "a")
    found = challenge_pack.check_node(TreeIndex(pack), node)
    placed = yamlio.place_in(text, "", found)
    lines = {finding.field_path: finding.line for finding in placed}
    assert (lines["difficulty"], lines["surprise"], lines["category"]) == (3, 4, 1)
