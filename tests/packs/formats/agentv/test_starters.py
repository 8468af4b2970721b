from packs.formats.agentv.reader import load
from packs.formats.agentv.starters import new_document
from packs.formats.document import NodeKind
from packs.formats.index import TreeIndex

SUITE = b"name: s\ntests: [{id: %s, criteria: Good, input: Hi}]\n"


def index_of(**suites):
    pack, _ = load({f"evals/{name}.eval.yaml": SUITE % key for name, key in suites.items()})
    return TreeIndex(pack)


def test_a_new_test_takes_a_key_that_is_free_in_its_own_suite():
    index = index_of(a=b"question-1", b=b"other")
    keys = [new_document(NodeKind.CASE, index, suite)["id"] for suite in (0, 1)]
    assert keys == ["question-2", "question-1"]


def test_a_new_suite_has_a_file_of_its_own_and_its_name():
    index = TreeIndex(load({"evals/suite-1.eval.yaml": SUITE % b"one"})[0])
    document = new_document(NodeKind.INPUT_SET, index)
    assert (document["$file"], document["name"]) == ("evals/suite-2.eval.yaml", "suite-2")
