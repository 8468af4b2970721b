from packs.formats.adapter import Node
from packs.formats.benchmark_pack import check_node, load
from packs.formats.benchmark_pack.lens import load_node
from packs.formats.document import NodeKind
from packs.formats.index import TreeIndex
from packs.formats.yamlio import place_in
from tests.packs.formats.benchmark_pack.samples import pack_files


def test_empty_parts_of_a_row_are_left_out():
    assert load_node(NodeKind.CASE, "id: a\ninput: {}\n") == ({"id": "a"}, [])


def test_a_text_that_is_no_mapping_is_told_at_its_place():
    document, findings = load_node(NodeKind.CASE, "- 1\n")
    assert document is None
    assert [(finding.code, finding.line) for finding in findings] == [("benchmark_pack.E005", 1)]


def test_findings_are_placed_in_the_text():
    text = "id: a\ninput:\n  question: ''\neval:\n  accepted_answers: [x]\n"
    document, _ = load_node(NodeKind.CASE, text)
    index = TreeIndex(load(pack_files())[0])
    found = place_in(text, "", check_node(index, Node(NodeKind.CASE, document, "a", position=9)))
    assert ("input.question", 3) in {(finding.field_path, finding.line) for finding in found}
