import orjson
import pytest

from packs.formats import jsonio
from packs.formats.benchmark_pack import check, dump, identify, load, recognises, version_number
from packs.formats.benchmark_pack.lazy import LONG
from packs.formats.document import NodeKind
from tests.packs.formats.benchmark_pack.samples import ROW, pack_files


@pytest.mark.parametrize(
    "files",
    [
        {"manifest.yaml": b"id: a\nversion: 1\n"},
        {"pack/manifest.yml": b"id: a\nversion: 1\n", "pack/tasks.jsonl": b""},
        {"manifest.json": b'{"id": "a", "version": 1}'},
        {"quiz.yaml": b"id: a\nversion: 1\n", "rows.jsonl": b""},
        {"manifest.yaml": b'schema_version: "2.0"\nid: a\n'},
    ],
)
def test_a_manifest_is_recognised_by_its_name_or_by_rows_beside_it(files):
    assert recognises(files)


@pytest.mark.parametrize("files", [{"pack.yaml": b"pack: {}\n"}, {"tasks.jsonl": b"{}"}, {"a.yaml": b"id: 1\n"}, {}])
def test_other_files_are_no_benchmark_pack(files):
    assert not recognises(files)


def test_files_are_told_apart_by_the_roots_of_the_manifest():
    files = pack_files({"asset_roots": {"public": "pub", "eval": "./own//files/"}})
    files |= {"pub/a.txt": b"a", "own/files/b": b"b", "README.md": b"c", "assets/d": b"d", "own/e.jsonl": b""}
    pack, findings = load(files)
    assert findings == []
    assert [asset.path for asset in pack.assets] == ["own/files/b", "pub/a.txt"]
    assert [file.path for file in pack.files] == ["README.md", "assets/d"]
    assert [input_set.key for input_set in pack.input_sets] == ["own/e.jsonl", "tasks.jsonl"]


def test_the_records_of_a_run_beside_a_pack_are_no_rows():
    record = b'{"run_id": "r", "task_id": "a"}\n'
    pack, _ = load({**pack_files(), "candidates.jsonl": record})
    assert [input_set.key for input_set in pack.input_sets] == ["tasks.jsonl"]
    assert dump(pack)["candidates.jsonl"] == record


def test_a_pack_in_a_folder_is_named_from_there_and_says_what_lies_outside():
    files = {f"deep/{name}": data for name, data in pack_files().items()} | {"note.txt": b"x"}
    pack, findings = load(files)
    assert [case.key for case in pack.input_sets[0].cases] == [ROW["id"]]
    assert [finding.code for finding in findings] == ["benchmark_pack.W001"]


def test_a_rows_file_that_is_no_text_is_refused_at_its_line():
    files = {**pack_files(), "tasks.jsonl": b'{"id":"a"}\n{"id":"\xff"}\n'}
    pack, findings = load(files)
    assert pack is None
    assert [(finding.code, finding.file, finding.line) for finding in findings] == [
        ("benchmark_pack.E004", "tasks.jsonl", 2)
    ]


def test_a_byte_order_mark_is_passed_over():
    files = pack_files()
    pack, _ = load({**files, "tasks.jsonl": b"\xef\xbb\xbf" + files["tasks.jsonl"]})
    assert pack.input_sets[0].cases[0].document == ROW


def test_an_empty_rows_file_is_an_input_set_without_cases():
    pack, _ = load({**pack_files(), "tasks.jsonl": b""})
    assert [(input_set.key, input_set.cases) for input_set in pack.input_sets] == [("tasks.jsonl", ())]


@pytest.mark.parametrize(("version", "number"), [(3, 3), (0, None), (-1, None), ("1", None), (True, None)])
def test_only_a_positive_whole_number_numbers_a_version(version, number):
    assert version_number(load(pack_files({"version": version}))[0]) == number


def test_every_kind_of_node_states_its_key():
    assert identify(NodeKind.PACK, {"id": " a "}) == ("a", "")
    assert identify(NodeKind.INPUT_SET, {"file": "tasks.jsonl"}) == ("tasks.jsonl", "")
    assert identify(NodeKind.CASE, {"id": 7}) == ("", "")
    assert identify(NodeKind.ASSET, {"path": "assets/a"}) == ("assets/a", "")


def test_what_a_line_says_twice_is_told_at_its_line():
    pack, findings = load(pack_files(lines=["", '{"id": "a"}', '{"id": "b", "input": {"q": 1, "q": 2}}']))
    assert pack.input_sets[0].cases[1].document["input"] == {"q": 2}
    assert [(found.code, found.path, found.field_path, found.file, found.line) for found in findings] == [
        ("benchmark_pack.W002", ("rows", 0, 1, "input", "q"), "input.q", "tasks.jsonl", 3)
    ]


def test_words_of_a_manifest_are_the_booleans_that_the_original_reads():
    pack, findings = load(pack_files() | {"manifest.yaml": b"id: p\nversion: 1\nasset_defaults: {read_only: no}\n"})
    assert findings == []
    assert pack.document["asset_defaults"] == {"read_only": False}
    assert b"read_only: false" in dump(pack)["manifest.yaml"]


def test_a_word_that_is_a_boolean_cannot_be_the_id():
    pack, _ = load(pack_files() | {"manifest.yaml": b"id: yes\nversion: 1\n"})
    assert ("benchmark_pack.E101", "manifest.id") in [(item.code, item.field_path) for item in check(pack)]


LIMIT = jsonio.MAX_LINE_BYTES


def long_row(size, key="a"):
    """A row whose line has just this many bytes."""
    row = {"id": key, "input": {"question": ""}, "eval": {"accepted_answers": ["Leeds"]}}
    row["input"]["question"] = "x" * (size - len(orjson.dumps(row)))
    return orjson.dumps(row)


@pytest.mark.parametrize("before", [0, LONG])
def test_a_line_has_the_same_limit_in_short_and_long_files_and_is_named(before):
    files = pack_files(manifest={"defaults": {"family": "short_answer"}})
    padding = b"\n" * before
    assert load(files | {"tasks.jsonl": padding + long_row(LIMIT) + b"\n"})[0] is not None
    pack, findings = load(files | {"tasks.jsonl": padding + b"\n" + long_row(LIMIT + 1) + b"\n"})
    assert pack is None
    assert [(finding.code, finding.file, finding.line) for finding in findings] == [
        ("json.E005", "tasks.jsonl", before + 2)
    ]


def test_a_row_that_no_file_brought_has_the_same_limit():
    pack, _ = load(pack_files(manifest={"defaults": {"family": "short_answer"}}))
    for size, expected in ((LIMIT, []), (LIMIT + 1, ["json.E005"])):
        pack.input_sets[0].cases[0].document.clear()
        pack.input_sets[0].cases[0].document.update(orjson.loads(long_row(size)))
        assert [finding.code for finding in check(pack) if finding.is_error] == expected
