"""What import, workbench and publishing ask of the AgentV adapter, on packs of our own and on made-up content."""

from dataclasses import replace

import orjson
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from packs.formats import agentv
from packs.formats.adapter import Node
from packs.formats.agentv.successor import is_successor
from packs.formats.document import Address, Asset, Case, InputSet, NodeKind
from packs.formats.failure import Failure
from packs.formats.findings import has_errors
from packs.formats.index import TreeIndex
from packs.formats.provenance import sealed
from tests.drawing import drawn
from tests.packs.formats.challenge_pack.generated import keys, values

NAMES = ["id", "input", "criteria", "assertions", "workspace", "execution", "metadata", "turns", "mode", "depends_on"]
tests = st.dictionaries(st.one_of(st.sampled_from([*NAMES, "vars", "expected_output"]), keys), values, max_size=6)
suites = st.dictionaries(
    st.one_of(st.sampled_from(["name", "input", "assertions", "workspace", "execution", "metadata", "tags"]), keys),
    values,
    max_size=6,
)


def pack_of(suite, test):
    start = agentv.starter("p", "P")
    document = {**start.input_sets[0].document, **suite}
    case = Case(*agentv.identify(NodeKind.CASE, test), test)
    made = InputSet(agentv.identify(NodeKind.INPUT_SET, document)[0], document, (case,))
    return replace(start, input_sets=(made,))


def test_a_new_pack_has_nothing_to_complain_about_and_comes_back_as_it_was_written():
    pack = agentv.starter("mine", "Mine")
    assert list(agentv.check(pack)) == []
    assert list(agentv.check_artifacts(pack, ())) == []
    files = agentv.dump(pack)
    assert agentv.recognises(files)
    assert agentv.load(files) == (pack, [])
    assert agentv.title(pack.document) == "Mine"


@pytest.mark.parametrize("kind", [NodeKind.INPUT_SET, NodeKind.CASE, NodeKind.ASSET])
def test_new_nodes_have_free_keys_and_say_what_they_lack(kind):
    index = TreeIndex(agentv.starter("p", "P"))
    document = agentv.new_document(kind, index)
    key, _ = agentv.identify(kind, document)
    found = agentv.check_node(index, Node(kind, document, key, position=9))
    assert key
    # A suite that has no tests yet says so, and a test what it still needs.
    lacking = {NodeKind.INPUT_SET: ["agentv.W203", "agentv.E108"], NodeKind.CASE: ["agentv.E118", "agentv.W206"]}
    assert sorted(finding.code for finding in found) == sorted(lacking.get(kind, []))


def test_the_check_of_one_test_finds_what_the_check_of_all_finds_there():
    pack = pack_of({}, {"id": "a", "input": 5, "assertions": [{"type": "contains"}], "depends_on": ["a"]})
    alone = agentv.check_node(TreeIndex(pack), Node(NodeKind.CASE, pack.input_sets[0].cases[0].document, "a"))
    together = [found for found in agentv.check(pack) if agentv.locate(found)[0].kind is NodeKind.CASE]
    assert sorted(found.code for found in alone) == sorted(found.code for found in together)


def test_publishing_refuses_what_only_a_run_would_tell():
    pack = pack_of({}, {"id": "a", "input": "Hi", "assertions": [{"type": "contains"}]})
    assert not has_errors(agentv.check(pack))
    assert [(found.rule, found.code) for found in agentv.check_artifacts(pack, ())] == [("L08", "agentv.E401")]


def test_the_folder_of_a_test_says_nothing_where_tests_stand_in_their_suite():
    pack = pack_of({}, {"$folder": "a", "id": "a", "input": "Hi", "criteria": "Greets"})
    again, _ = agentv.load(agentv.dump(pack))
    assert [task.as_dict() for task in agentv.compile_tasks(pack)] == [
        task.as_dict() for task in agentv.compile_tasks(again)
    ]
    assert "$folder" not in agentv.stored_document(pack.input_sets[0].cases[0])


def test_the_order_in_which_files_were_added_is_no_part_of_a_task():
    start = agentv.starter("p", "P")
    assets = tuple(Asset(path, path, {"path": path}, b"x") for path in ("b.md", "a.md"))
    pack = replace(start, assets=assets)
    again, _ = agentv.load(agentv.dump(pack))
    assert [file.path for file in next(agentv.compile_tasks(pack)).environment.material] == ["a.md", "b.md"]
    assert list(agentv.compile_tasks(again)) == list(agentv.compile_tasks(pack))


def test_a_failed_trial_becomes_a_test_with_its_provenance():
    index = TreeIndex(agentv.starter("p", "P"))
    failure = Failure({"trace": "t1"}, title="Loops", request="Find it", expected=("Finds it",), reference="There")
    made = agentv.case_from_failure(index, failure)
    assert (made["input"], made["expected_output"], made["assertions"]) == ("Find it", "There", ["Finds it"])
    assert made["metadata"]["provenance"] == sealed({"trace": "t1"})
    assert agentv.case_from_failure(index, failure)["id"] == "loops-replay-1"


def test_every_address_has_a_path_that_leads_back():
    addresses = [
        Address(NodeKind.PACK),
        Address(NodeKind.INPUT_SET, (1,)),
        Address(NodeKind.CASE, (1, 2)),
        Address(NodeKind.ASSET, (3,)),
    ]
    finding = next(agentv.check(pack_of({}, {})))
    for address in addresses:
        path = agentv.path_of(address)
        assert agentv.locate(replace(finding, path=(*path, "x")))[0] == address


@settings(max_examples=drawn(50))
@given(tests)
def test_any_mapping_survives_writing_and_is_written_the_same_again(document):
    text = agentv.dump_node(NodeKind.CASE, document)
    again, findings = agentv.load_node(NodeKind.CASE, text)
    assert again == document
    assert not has_errors(findings)
    assert agentv.dump_node(NodeKind.CASE, again) == text


@settings(max_examples=drawn(80))
@given(suites, tests)
def test_no_content_makes_checking_compiling_or_writing_fall_over(suite, test):
    # What is written for the next generation is read as a classic suite, so it does not come back as it was.
    assume(not is_successor(suite))
    pack = pack_of(suite, test)
    list(agentv.check(pack))
    list(agentv.compile_tasks(pack))
    agentv.card(suite)
    files = agentv.dump(pack)
    again, _ = agentv.load(files)
    if again is not None:
        assert agentv.dump(again) == files


@settings(max_examples=drawn(80))
@given(st.dictionaries(st.sampled_from(["a.eval.yaml", "EVAL.yaml", "cases.jsonl", "c/x/case.yaml"]), st.binary()))
def test_no_bytes_make_reading_fall_over(files):
    agentv.recognises(files)
    pack, findings = agentv.load(files)
    if pack is not None:
        agentv.place(files, [*findings, *agentv.check(pack)])


SHARED = {
    "a.eval.yaml": b"tests: ./cases/\n",
    "deep/b.eval.yaml": b"tests: ../cases/\n",
    "cases/one/case.yaml": b"criteria: Greets.\ninput: Hi\n",
    "cases/one/workspace/start.txt": b"begin",
}


def test_an_edited_test_of_a_folder_that_two_suites_name_is_written_as_it_was_edited():
    pack, _ = agentv.load(SHARED)
    first, second = pack.input_sets
    edited = {**first.cases[0].document, "criteria": "Greets the user."}
    changed = replace(first, cases=(replace(first.cases[0], document=edited),))
    again, _ = agentv.load(agentv.dump(replace(pack, input_sets=(changed, second))))
    assert [each.cases[0].document["criteria"] for each in again.input_sets] == ["Greets the user.", "Greets."]


def test_a_suite_that_takes_over_tests_of_a_shared_folder_keeps_their_templates():
    pack, findings = agentv.load(SHARED)
    assert [(found.code, found.file) for found in findings] == [("agentv.N018", "deep/b.eval.yaml")]
    assert pack.input_sets[1].cases[0].document["workspace"] == {"template": "../cases/one/workspace"}
    starts = [[file.path for file in task.environment.files] for task in agentv.compile_tasks(pack)]
    assert starts == [["start.txt"], ["start.txt"]]


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), ("-2.50", -2.5), ("9" * 25, 1e25), ("9" * 400, "9" * 400), ("true", True), ("0x10", "0x10")],
)
def test_a_number_of_the_environment_is_what_javascript_reads(text, value):
    suite = b"tests: [{id: a, input: Hi, criteria: Greets., metadata: {n: '${{ N }}'}}]\n"
    pack, _ = agentv.load({"s.eval.yaml": suite, ".env": f"N={text}\n".encode()})
    [task] = agentv.compile_tasks(pack)
    assert task.hidden["metadata"] == {"n": value}
    assert orjson.dumps(task.as_dict())


@pytest.mark.parametrize(("isolation", "codes"), [("shared", {"agentv.W507"}), ("per_test", set())])
def test_a_reset_before_the_graders_is_told_at_the_test_whose_program_would_see_nothing(isolation, codes):
    repository = {"path": "repo", "source": {"type": "git", "url": "https://example.org/a.git"}}
    hooks = {"after_each": {"reset": "strict"}}
    suite = {"workspace": {"isolation": isolation, "repos": [repository], "hooks": hooks}}
    grader = {"name": "g", "type": "code-grader", "command": ["true"]}
    test = {"id": "a", "input": "Hi", "criteria": "Greets.", "assertions": [grader]}
    found = [finding for finding in agentv.check(pack_of(suite, test)) if finding.code == "agentv.W507"]
    assert {finding.code for finding in found} == codes
    assert all(finding.path[-1] == "assertions" for finding in found)


@pytest.mark.parametrize(("kind", "codes"), [("git", {"agentv.W305"}), ("local", set())])
def test_only_a_remote_does_not_know_full_commit_ids(kind, codes):
    repository = {"path": "r", "source": {"type": kind, "url": "u", "path": "p"}, "checkout": {"ref": "a" * 40}}
    test = {"id": "a", "input": "Hi", "criteria": "Greets."}
    found = agentv.check(pack_of({"workspace": {"repos": [repository]}}, test))
    assert {finding.code for finding in found} & {"agentv.W305"} == codes


def test_a_circle_is_told_at_the_tests_that_make_it_and_not_at_those_that_wait_for_it():
    needs = {"a": ["b"], "b": ["a"], "c": ["a"], "d": []}
    tests = [{"id": key, "input": "Hi", "criteria": "Greets.", "depends_on": others} for key, others in needs.items()]
    pack, _ = agentv.load({"s.eval.yaml": orjson.dumps({"tests": tests})})
    told = [finding.path[3] for finding in agentv.check(pack) if finding.code == "agentv.W214"]
    assert told == [0, 1]


def test_a_long_line_of_blanks_in_the_environment_is_read_at_once():
    suite = b"tests: [{id: a, input: Hi, criteria: Greets., metadata: {n: '${{ N }}'}}]\n"
    pack, _ = agentv.load({"s.eval.yaml": suite, ".env": b"N = x" + b" " * 200_000 + b"y \n"})
    [task] = agentv.compile_tasks(pack)
    assert task.hidden["metadata"]["n"].endswith(" y")
