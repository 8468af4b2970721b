import pytest

from packs.formats.benchmark_pack.policy import collisions, internal_trouble, mount_trouble
from packs.formats.paths import path_trouble


@pytest.mark.parametrize("path", ["", None, 3, "a\\b", "/a", "../a", "a/../b", ".", "./", "//"])
def test_a_path_that_leads_elsewhere_is_refused(path):
    assert path_trouble(path)


@pytest.mark.parametrize("path", ["a", "a/b", ".hidden/x", "a/./b", "a..b"])
def test_an_ordinary_path_is_taken(path):
    assert path_trouble(path) == ""


def test_whole_steps_are_denied_not_beginnings_of_names():
    assert mount_trouble("agent", "eval/x")
    assert mount_trouble("agent", "evaluation.txt") == ""


def test_each_component_has_folders_of_its_own():
    assert internal_trouble("evaluator", "securebench/evaluator/a.json") == ""
    assert internal_trouble("agent", "securebench/evaluator/a.json")
    assert mount_trouble("test_sandbox", "securebench/evaluation_inputs/a")


def test_equal_paths_and_paths_inside_others_collide():
    assert list(collisions(["a", "b/c", "a", "b", "ab", "b/c/d"])) == [2, 3, 5]


def test_a_hundred_thousand_paths_are_compared_at_once():
    paths = [f"data/{number}/row.json" for number in range(100_000)]
    assert list(collisions([*paths, "data/7"])) == [100_000]
