from hypothesis import given, settings

from packs.formats.benchmark_pack import compile_tasks, dump, dump_node, load, load_node
from packs.formats.document import NodeKind
from tests.drawing import drawn
from tests.packs.formats.benchmark_pack.generated import packs as generated_packs
from tests.packs.formats.benchmark_pack.samples import pack_files


@settings(max_examples=drawn(100))
@given(generated_packs())
def test_any_pack_comes_back_from_its_files_unchanged(pack):
    canonical = dump(pack)
    again, findings = load(canonical)
    assert (again, findings) == (pack, [])
    assert dump(again) == canonical


@settings(max_examples=drawn(50))
@given(generated_packs())
def test_any_node_comes_back_from_its_text_and_any_row_compiles(pack):
    for address, document in pack.nodes():
        assert load_node(address.kind, dump_node(address.kind, document)) == (document, [])
    assert len(list(compile_tasks(pack))) <= len(pack.input_sets[0].cases)


def test_manifests_are_written_in_the_order_of_the_format_and_unknown_keys_last():
    files = pack_files()
    files["manifest.yaml"] = b"own: 1\nasset_roots: {eval: h, public: p}\nversion: 1\nid: a\n"
    pack, _ = load(files)
    assert dump(pack)["manifest.yaml"] == b"id: a\nversion: 1\nasset_roots:\n  public: p\n  eval: h\nown: 1\n"


def test_an_environment_keeps_the_order_of_its_author():
    text = dump_node(NodeKind.PACK, {"id": "a", "defaults": {"environment": {"own": 1, "image": "i"}}})
    assert text.index("own") < text.index("image")


def test_a_file_whose_bytes_nobody_has_is_not_written():
    pack, _ = load(pack_files(beside={"assets/a.txt": "x"}))
    assert set(dump(pack)) == {"manifest.yaml", "tasks.jsonl", "assets/a.txt"}
