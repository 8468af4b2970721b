from packs.formats.benchmark_pack import check_artifacts, lineage, starter, stored_files, title
from packs.formats.document import NodeKind


def test_the_id_is_title_and_identity():
    assert title({"id": " quiz "}) == "quiz"
    assert lineage({"id": "quiz", "version": 3}) == {"manifest.id": "quiz"}


def test_nothing_is_named_by_an_id_of_a_stored_file():
    assert list(stored_files(NodeKind.CASE, {"assets": [{"path": "a"}]})) == []
    assert list(check_artifacts(starter("a", "A"), set())) == []
