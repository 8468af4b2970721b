"""Files, tools, secrets and targets that fields of the other formats name: offered, and created in place."""

import pytest

from packs.editing import Change, add_node, apply, undo
from packs.formats.document import NodeKind
from packs.formats.task_suite import dump, starter
from packs.importing import import_pack
from tests.packs.views.workbench.pages import Page

SUITE = b"""\
name: parcels
execution: {target: local}
tests:
- id: where
  criteria: Names the hub.
  input: Where is PX-1?
  input_files: [../gone.md]
  assertions: []
"""
TARGETS = b"targets:\n- name: local\n  provider: echo\n- name: azure\n  provider: azure\n"
ROW = b'{"id": "a", "family": "short_answer", "input": {"question": "Where?"}, "eval": {"accepted_answers": ["x"]}}\n'


def suggested(page, end):
    [field] = [each for each in page.response.context["form"].walk() if each.pointer.endswith(end)]
    return field.suggestions


def edited(row, author, pointer, value):
    apply(row.pack, [Change(row.kind, row.pk, pointer, value)], author)


@pytest.fixture
def task(team, author):
    files = dump(starter("tasks", "Tasks"))
    return import_pack(team, author, files, "tasks", format="task_suite").cases.first()


@pytest.fixture
def test_case(team, author):
    files = {"evals/parcels.eval.yaml": SUITE, ".agentv/targets.yaml": TARGETS, "evals/map.md": b"x"}
    return import_pack(team, author, files, "parcels", format="agentv").cases.get()


@pytest.fixture
def row(team, author):
    files = {
        "manifest.yaml": b"id: quiz\nversion: 1\n",
        "tasks.jsonl": ROW,
        "assets/map.txt": b"x",
        "hidden/run.sh": b"x",
    }
    return import_pack(team, author, files, "quiz", format="benchmark_pack").cases.get()


@pytest.fixture
def page_of(as_author):
    return lambda node: Page(as_author, node.pack, f"cases/{node.pk}")


def test_a_rubric_that_is_not_there_is_created_where_the_task_looks_for_it(task, page_of, author):
    grader = {"type": "model_rubric", "rubric_paths": ["../_shared/rubrics/kind.md"]}
    edited(task, author, "/graders", [grader])
    page = page_of(task)
    assert "Create file ../_shared/rubrics/kind.md" in page.html
    page.send(do="create:/graders/0/rubric_paths/0")
    assert task.pack.assets.filter(key="evals/_shared/rubrics/kind.md").exists()
    assert "Create file" not in page_of(task).html
    assert "../_shared/rubrics/kind.md" in suggested(page_of(task), "/rubric_paths/0")
    undo(task.pack, author)
    assert not task.pack.assets.filter(key="evals/_shared/rubrics/kind.md").exists()


def test_a_tool_that_a_grader_names_is_added_to_those_of_the_task(task, page_of, author):
    edited(task, author, "/inputs/tools_available", ["look_up"])
    edited(task, author, "/graders", [{"type": "tool_calls", "forbidden": ["refund"], "sequence": ["look_up"]}])
    page = page_of(task)
    assert suggested(page, "/forbidden/0") == ("look_up",)
    assert page.html.count("Create tool") == 1
    page.send(do="create:/graders/0/forbidden/0")
    task.refresh_from_db()
    assert task.document["inputs"]["tools_available"] == ["look_up", "refund"]


def test_a_grader_picks_the_final_message_and_files_that_the_agent_works_on_or_leaves(task, page_of, author):
    for name in ("repo/notes/plan.md", "other.md"):
        add_node(task.pack, NodeKind.ASSET, author, document={"path": f"evals/golden/{name}"})
    edited(task, author, "/inputs/repo_path", "repo")
    edited(task, author, "/reference_solution", {"final_message": "Done.", "files": {"report.md": "x"}})
    edited(task, author, "/graders", [{"type": "string_match", "target": "report.md"}])
    page = page_of(task)
    assert suggested(page, "/graders/0/target") == ("final_message", "notes/plan.md", "report.md")
    assert "Create file" not in page.html


def test_a_row_picks_public_files_for_the_agent(row, page_of, author):
    edited(row, author, "/assets", [{"path": "plan.txt"}])
    page = page_of(row)
    assert suggested(page, "/assets/0/path") == ("map.txt",)
    page.send(do="create:/assets/0/path")
    assert row.pack.assets.filter(key="assets/plan.txt").exists()


def test_a_test_of_agentv_picks_files_and_targets(test_case, page_of, author):
    edited(test_case, author, "/execution", {"targets": ["locall"]})
    page = page_of(test_case)
    assert set(suggested(page, "/input_files/0")) >= {"map.md"}
    assert suggested(page, "/execution/targets/0") == ("local", "azure")


def test_the_block_of_a_message_picks_files_only_where_it_is_a_file(test_case, page_of, author):
    blocks = [{"type": "text", "value": "new.md"}, {"type": "file", "value": "new.md"}]
    edited(test_case, author, "/input", [{"role": "user", "content": blocks}])
    page = page_of(test_case)
    assert "map.md" in suggested(page, "/content/1/value")
    assert page.html.count("Create file new.md") == 1


def test_what_was_typed_is_offered_with_the_answer_to_a_saved_field(task, page_of, author):
    edited(task, author, "/graders", [{"type": "json_schema", "schema_path": "shape.json"}])
    pointer = "/graders/0/schema_path"
    answer = page_of(task).live(pointer, **{f"t?:{pointer}": "other.json"}).content.decode()
    assert "data-create" in answer
    assert "Create file other.json" in answer
    apply(task.pack, [Change(NodeKind.CASE, task.pk, pointer, "shape.json")], author)
    gone = page_of(task).live(pointer, **{f"t?:{pointer}": "a sentence"}).content.decode()
    assert "data-create" in gone
    assert "Create file" not in gone


def test_a_slip_in_the_path_of_a_file_has_a_fix(test_case, page_of, as_author, author):
    blocks = [{"type": "file", "value": "mapp.md"}]
    edited(test_case, author, "/input", [{"role": "user", "content": blocks}])
    page = page_of(test_case)
    fixes = as_author.get(f"{page.base}cases/{test_case.pk}/fixes/").content.decode()
    assert "Change value to" in fixes
    assert "map.md" in fixes
