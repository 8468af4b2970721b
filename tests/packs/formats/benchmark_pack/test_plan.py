import pytest

from packs.formats.benchmark_pack.compiled import compile_row
from packs.formats.benchmark_pack.header import Header
from packs.formats.benchmark_pack.plan import check_task_file, is_reference, plan


def planned(row, component, header=None):
    header = header or Header(family="own")
    return plan(header, compile_row(header, row), component, lambda path: True)


def test_only_path_mount_and_read_only_make_a_value_a_file():
    assert is_reference({"path": "a"})
    assert is_reference({"path": 1, "mount": "b", "read_only": True})
    assert not is_reference({"path": "a", "content": "x"})
    assert not is_reference({"mount": "a"})


def test_a_folder_of_the_public_root_goes_to_its_mount_in_normal_form():
    row = {"assets": [{"path": "a//b/.", "mount": "./task/x"}]}
    found = planned(row, "agent", Header(public_root="pub"))
    assert [(item.source, item.path, item.read_only) for item in found.items] == [("pub/a/b", "task/x", True)]


def test_a_name_that_cannot_be_a_file_is_refused():
    assert [finding.path for finding in planned({"input": {"a/b": 1}}, "agent").findings] == [("input", "a/b")]


def test_evaluators_get_public_values_but_no_assets():
    row = {"input": {"q": 1}, "assets": [{"path": "a"}], "eval": {"secret": 2}}
    assert [item.path for item in planned(row, "evaluator").items] == [
        "securebench/evaluator/q.json",
        "securebench/evaluator/secret.json",
    ]
    assert [item.path for item in planned(row, "agent").items] == ["securebench/public/q.json", "a"]


@pytest.mark.parametrize(
    ("mount", "is_told"),
    [("task.json", True), ("./task.json/more", True), ("task.jsonl", False), ("a/task.json", False)],
)
def test_a_file_in_the_place_of_the_task_is_told(mount, is_told):
    found = planned({"assets": [{"path": "a", "mount": mount}]}, "agent")
    told = [(finding.code, finding.path) for finding in check_task_file(found)]
    assert told == [("benchmark_pack.W403", ("assets", 0))] * is_told
