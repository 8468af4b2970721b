"""Preprocessors on their way from a suite to its graders (agentv F.13)."""

import pytest
import yaml

from packs.formats import agentv

SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
OF_SUITE = [{"type": "xlsx", "command": ["python", "tools/suite.py"]}, {"type": "pdf", "command": ["./pdf.sh"]}]
OWN = [{"type": SHEET, "command": ["python", "own.py"]}]
PROGRAMS = {"tools/suite.py": b"", "evals/pdf.sh": b"", "evals/own.py": b""}


def task_of(suite, **files):
    given = {"evals/s.eval.yaml": yaml.safe_dump({"preprocessors": OF_SUITE, **suite}).encode(), **PROGRAMS, **files}
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
    # The last part is looked for beside the suite and above it, and named as seen from the suite's folder.
    assert commands(rubrics) == [["python", "../tools/suite.py"], ["./pdf.sh"]]
    assert commands(own) == commands(grouped["assertions"][0]) == [["python", "./own.py"], ["./pdf.sh"]]
    assert {entry["directory"] for entry in own["preprocessors"]} == {"evals"}
    assert "preprocessors" not in contains


def test_the_judge_of_a_test_without_assertions_has_them_too():
    task = task_of({"tests": [{"id": "a", "input": "Hi", "criteria": "Greets"}]})
    assert commands(task.graders[0].config["assertion"]) == [["python", "../tools/suite.py"], ["./pdf.sh"]]


@pytest.mark.parametrize(
    "stated",
    [
        {"xlsx": ["python", "own.py"]},
        ["own.py"],
        [{"type": "xlsx"}],
        [{"command": ["own.py"]}],
        [{"type": "xlsx", "command": "python own.py"}],
        [{"type": "xlsx", "command": ["python", "gone.py"]}],
    ],
    ids=str,
)
@pytest.mark.parametrize("is_of_suite", [True, False])
def test_what_is_no_converter_keeps_the_test_from_being_run(stated, is_of_suite):
    judge = {"type": "llm-grader", **({} if is_of_suite else {"preprocessors": stated})}
    suite = {"preprocessors": stated} if is_of_suite else {}
    task = task_of({**suite, "tests": [{"id": "a", "input": "Hi", "assertions": [judge]}]})
    assert task.environment.obstacle


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
