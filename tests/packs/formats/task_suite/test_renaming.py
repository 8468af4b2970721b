import pytest

from packs.formats.adapter import Above
from packs.formats.document import NodeKind
from packs.formats.task_suite.renaming import renamed

TASK = {
    "suite": "golden",
    "inputs": {"repo_path": "../_shared/fixtures/fees/", "issue_statement": "../_shared/fixtures/fees"},
    "graders": [
        {"type": "model_rubric", "rubric_paths": ["rubrics/a.md", "../_shared/rubrics/b.md"]},
        {"type": "json_schema", "schema_path": "own.json"},
        "broken",
    ],
}


def follow(old, new, what=NodeKind.ASSET, kind=NodeKind.CASE, document=TASK):
    return renamed(kind, document, what, {old: new}, Above({}))


def test_a_task_follows_the_folder_of_its_repository():
    found = follow("evals/_shared/fixtures/fees", "evals/_shared/fixtures/charges")
    assert found["inputs"] == {**TASK["inputs"], "repo_path": "../_shared/fixtures/charges"}


@pytest.mark.parametrize(
    ("old", "new", "paths"),
    [
        ("evals/_shared/rubrics/a.md", "evals/golden/a.md", ["a.md", "../_shared/rubrics/b.md"]),
        ("evals/_shared/rubrics/b.md", "evals/_shared/c.md", ["rubrics/a.md", "../_shared/c.md"]),
    ],
)
def test_a_task_follows_its_rubrics_wherever_they_are_looked_for(old, new, paths):
    assert follow(old, new)["graders"][0]["rubric_paths"] == paths


def test_a_task_follows_the_schema_beside_it():
    found = follow("evals/golden/own.json", "evals/_shared/own.json")
    assert found["graders"][1]["schema_path"] == "../_shared/own.json"


@pytest.mark.parametrize("what", [NodeKind.CHALLENGE, NodeKind.INPUT_SET])
def test_a_task_follows_its_suite(what):
    assert follow("golden", "adversarial", what, document={"suite": " golden "}) == {"suite": "adversarial"}
    assert follow("golden", "adversarial", what, document={"suite": "open_ended"}) == {"suite": "open_ended"}
    assert follow("golden", "adversarial", what, NodeKind.CHALLENGE, {"suite": "golden"}) == {"suite": "golden"}


def test_what_names_other_files_stays_as_it_is():
    assert follow("evals/golden/fixtures", "evals/golden/other") is TASK
    assert follow("evals/golden/own.json", "evals/golden/x.json", kind=NodeKind.CHALLENGE) is TASK


def test_what_graders_look_at_follows_files_inside_the_working_copy():
    graders = [
        {"type": "json_schema", "target": "plan.md"},
        {"type": "state_check", "expect": {"files": {"plan.md": {"exists": True}}}},
        {"type": "string_match", "target": "final_message"},
    ]
    task = {**TASK, "graders": graders}
    plan = "evals/_shared/fixtures/fees/plan.md"
    looked_at, state, last = follow(plan, "evals/_shared/fixtures/fees/a/new.md", document=task)["graders"]
    assert (looked_at["target"], [*state["expect"]["files"]], last) == ("a/new.md", ["a/new.md"], graders[2])
    assert follow(plan, "evals/golden/plan.md", document=task)["graders"] == graders
