"""What nodes of every format name by paths, as they would write them."""

import pytest

from packs.formats.abilities import NAMERS
from packs.formats.adapter import Above
from packs.formats.document import NodeKind
from packs.formats.naming import folders_of, is_path

TARGETS = b"targets:\n- name: local\n  provider: echo\n- name: azure\n  provider: azure\n"


def names(format_name, files, document=None, pack=None, suite=None, kind=NodeKind.CASE):
    given = dict.fromkeys(files, b"") if not isinstance(files, dict) else files
    return NAMERS[format_name].names(kind, document or {}, Above(pack or {}, suite or {}), given)


def path_of(format_name, sort, name, document=None, suite=None, files=(), kind=NodeKind.CASE):
    above = Above({}, suite or {})
    return NAMERS[format_name].path_of(sort, kind, document or {}, above, name, dict.fromkeys(files, b""))


@pytest.mark.parametrize("text", ["a.md", "./a.md", "../_shared/rubrics/tone.md", "x/.env/a.json", "a-b_c+d@2.txt"])
def test_what_looks_like_a_path(text):
    assert is_path(text)


@pytest.mark.parametrize(
    "text",
    ["", "tone", "Is it polite?", "a b.md", "a.md\n", "/etc/passwd.d", "https://x.org/a.md", "{{file}}.md", "a/"],
)
def test_what_does_not(text):
    assert not is_path(text)


def test_folders_are_those_of_files_and_those_around_them():
    assert folders_of(["a/b/c.md", "a/d.md", "e.md"]) == ["a", "a/b"]


def test_a_task_names_rubrics_schemas_and_folders_as_seen_from_its_own():
    files = ["evals/_shared/rubrics/tone.md", "evals/golden/shape.json", "evals/golden/repo/main.py"]
    found = names("task_suite", files, {"suite": "golden"})
    assert found["rubrics"] == ["../_shared/rubrics/tone.md"]
    assert found["schemas"] == ["shape.json"]
    assert "repo" in found["folders"]


def test_a_task_means_the_file_beside_it_or_the_shared_one():
    shared = "evals/_shared/rubrics/tone.md"
    assert path_of("task_suite", "rubrics", "rubrics/tone.md", files=[shared]) == shared
    assert path_of("task_suite", "rubrics", "../_shared/rubrics/new.md") == "evals/_shared/rubrics/new.md"
    assert path_of("task_suite", "rubrics", "Is it polite?") == ""
    assert path_of("task_suite", "rubrics", "../../../outside.md") == ""


def test_a_test_of_agentv_names_files_from_the_nearest_folder_above_its_suite():
    suite = {"$file": "evals/parcels/a.eval.yaml"}
    found = names("agentv", ["evals/parcels/q.md", "evals/rates.csv", "scripts/check.py"], suite=suite)
    assert found["files"] == ["q.md", "rates.csv", "scripts/check.py"]
    assert found["scripts"] == ["./q.md", "./rates.csv", "./scripts/check.py"]
    assert names("agentv", ["evals/parcels/q.md"], suite, kind=NodeKind.INPUT_SET)["files"] == ["q.md"]


def test_a_test_of_agentv_names_the_targets_of_the_nearest_file():
    files = {".agentv/targets.yaml": TARGETS, "evals/a.eval.yaml": b""}
    assert NAMERS["agentv"].is_read(".agentv/targets.yaml")
    assert names("agentv", files, suite={"$file": "evals/a.eval.yaml"})["targets"] == ["local", "azure"]


def test_the_argument_of_a_command_is_a_file_only_with_a_folder():
    suite = {"$file": "evals/a.eval.yaml"}
    assert path_of("agentv", "scripts", "python3.11", suite=suite) == ""
    assert path_of("agentv", "scripts", "./check.py", suite=suite) == "evals/check.py"
    assert path_of("agentv", "files", "q.md", suite=suite, files=["q.md"]) == "q.md"
