"""Moving tests between the suite, a JSONL file and folders."""

from dataclasses import replace
from itertools import permutations

import pytest

from packs.formats import agentv
from packs.formats.agentv.arranging import ARRANGEMENTS, FOLDERS, INLINE, ROWS, advice, arranged, arrangement
from packs.formats.agentv.context import around
from packs.formats.agentv.loaded import load_test
from packs.formats.document import Case

FILES = {
    "evals/two.eval.yaml": b"name: two\ntests: ./cases/\n",
    "evals/cases/first/case.yaml": b"criteria: Greets\ninput: Hi\nmetadata: {patch: cases/first/a.patch}\n",
    "evals/cases/first/workspace/main.txt": b"begin\n",
    "evals/cases/b/case.yaml": b"id: second/one\ncriteria: Says bye\ninput: Bye\nworkspace: {isolation: per_test}\n",
}


def facts(pack):
    """Everything that the loader knows of every test, without where it stands."""
    found = []
    for suite in pack.input_sets:
        scene = around(pack, suite)
        for case in suite.cases:
            test, _ = load_test(scene, case.document)
            found.append((test.id, test.input, test.criteria, test.metadata, test.workspace, test.assertions))
    return sorted(found, key=lambda fact: fact[0])


@pytest.mark.parametrize(("first", "second"), list(permutations(ARRANGEMENTS, 2)))
def test_no_fact_of_a_test_is_lost_on_the_way_and_the_files_come_back_the_same(first, second):
    pack, _ = agentv.load(FILES)
    moved = arranged(arranged(pack, 0, first), 0, second)
    assert facts(moved) == facts(pack)
    again, findings = agentv.load(agentv.dump(moved))
    assert (again, findings) == (moved, [])
    assert arrangement(again.input_sets[0].document) == second


def test_the_tests_stand_where_they_were_moved_to():
    pack, _ = agentv.load(FILES)
    assert arranged(pack, 0, FOLDERS) is pack
    rows = agentv.dump(arranged(pack, 0, ROWS))
    assert rows["evals/two.jsonl"].count(b"\n") == 2
    assert "evals/cases/first/case.yaml" not in rows
    assert b"template: cases/first/workspace" in agentv.dump(arranged(pack, 0, INLINE))["evals/two.eval.yaml"]
    folders = agentv.dump(arranged(arranged(pack, 0, INLINE), 0, FOLDERS))
    assert {"evals/cases/first/case.yaml", "evals/cases/second-one/case.yaml"} <= set(folders)


def test_tests_whose_names_make_the_same_folder_get_folders_of_their_own():
    stated = b"tests:\n" + b"".join(
        b"  - {id: '%s', input: Hi, criteria: C}\n" % name for name in (b"a/b", b"a-b", b"a:b")
    )
    pack, _ = agentv.load({"one.eval.yaml": stated})
    moved = arranged(pack, 0, FOLDERS)
    folders = sorted(name.split("/")[-2] for name in agentv.dump(moved) if name.endswith("case.yaml"))
    assert folders == ["a-b", "a-b-2", "a-b-3"]
    assert facts(agentv.load(agentv.dump(moved))[0]) == facts(pack)


def test_new_tests_of_a_folder_whose_names_make_the_same_folder_get_their_own():
    pack, _ = agentv.load(FILES)
    [suite] = pack.input_sets
    added = [Case(key, "", {"id": key, "input": "Hi", "criteria": "C"}) for key in ("a/b", "a:b", "a-b")]
    grown = replace(pack, input_sets=(replace(suite, cases=(*suite.cases, *added)),))
    written = agentv.dump(grown)
    assert {f"evals/cases/{name}/case.yaml" for name in ("a-b", "a-b-2", "a-b-3")} <= set(written)
    assert len(facts(agentv.load(written)[0])) == 5


def test_tests_do_not_move_onto_other_files():
    files = {"a.eval.yaml": b"tests: [{id: a, input: Hi, criteria: C}]\n", "a.jsonl": b"other\n"}
    pack, _ = agentv.load(files)
    written = agentv.dump(arranged(pack, 0, ROWS))
    assert written["a.jsonl"] == b"other\n"
    assert written["a-2.jsonl"].startswith(b'{"id"')


def test_only_ways_that_there_are_can_be_chosen():
    pack, _ = agentv.load(FILES)
    with pytest.raises(KeyError):
        arranged(pack, 0, "elsewhere")


def test_the_advice_to_split_names_what_belongs_into_folders():
    patched = b"tests: [{id: a, input: Hi, criteria: C, metadata: {test_patch: cases/a/test.patch}}]\n"
    plain = b"tests: [{id: a, input: Hi, criteria: C}]\n"
    assert len(advice(agentv.load({"a.eval.yaml": patched})[0].input_sets[0])) == 1
    assert advice(agentv.load({"a.eval.yaml": plain})[0].input_sets[0]) == []
    assert advice(agentv.load(FILES)[0].input_sets[0]) == []
