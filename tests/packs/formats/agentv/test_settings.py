"""Settings of suites, tests and containers: which values count, and what is said of the others."""

import pytest
import yaml

from packs.formats.agentv.compiler import compile_tasks
from packs.formats.agentv.reader import load
from packs.formats.checking import check_files

TEST = {"id": "a", "criteria": "Greets", "input": "Hi"}


def files_of(test=(), **suite):
    return {"s.eval.yaml": yaml.safe_dump({"tests": [{**TEST, **dict(test)}], **suite}).encode()}


def findings(*prefixes, test=(), **suite):
    """What is said of a suite, by code and last step of the path."""
    found = check_files(files_of(test, **suite), "agentv").findings
    return {(each.code.removeprefix("agentv."), each.path[-1]) for each in found if each.code[7:].startswith(prefixes)}


def task_of(test=(), **suite):
    pack, _ = load(files_of(test, **suite))
    (task,) = compile_tasks(pack)
    return task


def test_a_whole_number_may_be_written_with_a_point():
    execution = {"workers": 3.0, "trials": {"count": 2.0}}
    assert findings("W211", execution=execution) == set()
    task = task_of(execution=execution)
    assert (task.schedule.workers, task.trials.count) == (3, 2)
    assert isinstance(task.schedule.workers, int)


def test_null_is_a_setting_that_is_left_out():
    execution = {"threshold": None, "workers": None, "trials": {"count": None}}
    assert findings("W211", execution=execution) == set()
    assert task_of(execution=execution).scoring.pass_threshold == 0.8


@pytest.mark.parametrize(
    ("execution", "name"),
    [
        ({"target": " "}, "target"),
        ({"targets": "one"}, "targets"),
        ({"workers": 51}, "workers"),
        ({"threshold": 2}, "threshold"),
        ({"trials": {"costLimitUsd": 0}}, "costLimitUsd"),
        ({"trials": 3}, "trials"),
        ({"budgetUsd": "1"}, "budgetUsd"),
        ({"cache_path": " "}, "cache_path"),
        ([], "execution"),
    ],
)
def test_a_setting_that_cannot_be_used_is_ignored_and_said_to_be(execution, name):
    assert findings("W211", "W32", execution=execution) == {("W211", name)}
    assert task_of(execution=execution).schedule == task_of().schedule


def test_another_spelling_counts_where_the_usual_one_says_nothing():
    assert task_of(execution={"budgetUsd": 2, "budget_usd": None}).schedule.cost_usd == 2
    assert task_of(execution={"budget_usd": 1, "budgetUsd": 2}).schedule.cost_usd == 1


def test_setting_of_a_test_that_no_test_has_are_not_asked_for_better_values():
    assert findings("W211", test={"execution": {"workers": "many", "threshold": "all"}}) == {("W211", "threshold")}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("description", ""),
        ("description", None),
        ("description", "x" * 1025),
        ("version", 1.0),
        ("tags", "swe"),
        ("requires", {"agentv": 4}),
    ],
)
def test_information_of_a_suite_with_a_name_keeps_it_from_being_loaded(field, value):
    found = findings("W202", "W32", name="parcels", **{field: value})
    assert {code for code, _ in found} == {"W202"}
    assert "W202" not in {code for code, _ in findings("W202", **{field: value})}


def test_a_suite_may_require_more_than_agentv():
    assert findings("W202", "W32", name="parcels", requires={"agentv": ">=4", "node": 22}) == set()


def test_a_name_in_capitals_keeps_a_suite_from_being_loaded():
    assert findings("W107", "W202", name="Parcels") == {("W107", "name"), ("W202", "name")}


def test_options_of_a_conversation_count_where_they_can_be_used():
    talk = {"mode": "conversation", "turns": [{"input": "One"}], "window_size": 3.0, "aggregation": "median"}
    assert findings("W304", "W32", test=talk) == {("W304", "aggregation")}
    assert task_of(talk).conversation["window_size"] == 3
    assert findings("W304", "E141", test={"window_size": "two"}) == {("E141", "window_size")}


def test_limits_of_a_container_are_asked_for_also_in_a_file():
    docker = {"image": "python:3.12", "memory": "0m", "cpus": 0, "timeout": 0.5}
    inline = findings("W306", "W32", workspace={"docker": docker})
    assert inline == {("W306", "memory"), ("W306", "cpus"), ("W306", "timeout")}
    files = files_of(workspace="./w.yaml") | {"w.yaml": yaml.safe_dump({"docker": docker}).encode()}
    apart = [each.path[-1] for each in check_files(files, "agentv").findings if each.code == "agentv.W306"]
    assert apart == ["workspace"] * 3


def test_an_unknown_way_to_isolate_is_reported_at_its_field():
    assert findings("W211", "W32", workspace={"isolation": "per_case"}) == {("W211", "isolation")}


def test_settings_of_a_judge_that_cannot_be_used_are_reported_at_their_place():
    judge = {"type": "llm-grader", "prompt": "Polite?", "max_steps": 3.0, "temperature": 3}
    program = {"type": "code-grader", "command": ["check"], "target": {"max_calls": 2.0}, "max_steps": 99}
    assert findings("W512", "W32", test={"assertions": [judge, program]}) == {("W512", "temperature")}
