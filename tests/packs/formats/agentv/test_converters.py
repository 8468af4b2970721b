"""Preprocessors on their way from a suite to its graders (agentv F.13)."""

import yaml

from packs.formats import agentv

SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
OF_SUITE = [{"type": "xlsx", "command": ["of", "suite"]}, {"type": "pdf", "command": "of suite"}]
OWN = [{"type": SHEET, "command": ["own"]}]


def task_of(suite, **files):
    given = {"evals/s.eval.yaml": yaml.safe_dump({"preprocessors": OF_SUITE, **suite}).encode(), **files}
    pack, _ = agentv.load(given)
    [task] = agentv.compile_tasks(pack)
    return task


def commands(assertion):
    return [entry["command"] for entry in assertion["preprocessors"]]


def test_graders_take_over_converters_of_the_suite_for_types_that_they_state_none_for():
    judge = {"name": "own", "type": "llm-grader", "prompt": "x", "preprocessors": OWN}
    members = [{**judge, "name": "inner"}]
    composite = {"name": "all", "type": "composite", "assertions": members, "aggregator": {"type": "weighted_average"}}
    asked = ["A criterion", judge, composite, {"type": "contains", "value": "x"}]
    task = task_of({"tests": [{"id": "a", "input": "Hi", "assertions": asked}]})
    rubrics, own, grouped, contains = (spec.config["assertion"] for spec in task.graders)
    assert commands(rubrics) == [["of", "suite"], "of suite"]
    assert commands(own) == commands(grouped["assertions"][0]) == [["own"], "of suite"]
    assert {entry["directory"] for entry in own["preprocessors"]} == {"evals"}
    assert "preprocessors" not in contains


def test_the_judge_of_a_test_without_assertions_has_them_too():
    task = task_of({"tests": [{"id": "a", "input": "Hi", "criteria": "Greets"}]})
    assert commands(task.graders[0].config["assertion"]) == [["of", "suite"], "of suite"]


def test_what_is_no_converter_is_left_out_and_stays_in_the_suite():
    stated = [{"type": "xlsx"}, "x", {"command": ["x"]}, {"type": "csv", "command": ["x"], "more": 1}]
    task = task_of({"preprocessors": stated, "tests": [{"id": "a", "input": "Hi", "criteria": "Greets"}]})
    assert commands(task.graders[0].config["assertion"]) == [["x"]]


def test_graders_are_told_which_files_messages_show_and_the_text_of_those_that_are():
    named = [("file", "a.txt"), ("file", "b.xlsx"), ("image", "c.png")]
    content = [{"type": kind, "value": path} for kind, path in named]
    files = {"evals/a.txt": b"words\r\n", "b.xlsx": b"PK\0", "evals/c.png": b"\x89PNG"}
    test = {"id": "a", "input": [{"role": "user", "content": content}], "criteria": "Greets"}
    told = task_of({"tests": [test]}, **files).hidden["files"]
    assert told == {
        "a.txt": {"name": "evals/a.txt", "text": "words\n"},
        "b.xlsx": {"name": "b.xlsx"},
        "c.png": {"name": "evals/c.png"},
    }


def test_a_composite_that_does_not_say_how_it_is_put_together_shows_no_files():
    odd = {"type": "composite", "assertions": [], "aggregator": {"type": []}, "preprocessors": OWN}
    test = {"id": "a", "input": "Hi", "assertions": [odd]}
    pack, _ = agentv.load({"s.eval.yaml": yaml.safe_dump({"tests": [test]}).encode()})
    assert "agentv.N313" in {finding.code for finding in agentv.check(pack)}
