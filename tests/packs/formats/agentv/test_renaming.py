import pytest

from packs.formats.adapter import Above
from packs.formats.agentv.renaming import renamed
from packs.formats.document import NodeKind

SUITE = {"$file": "evals/desk/a.eval.yaml", "tests": "./cases"}


def follow(document, old, new, what=NodeKind.ASSET, kind=NodeKind.CASE):
    return renamed(kind, document, what, {old: new}, Above({}, SUITE))


def blocks(path, text):
    return [{"role": "user", "content": [{"type": "file", "value": path}, {"type": "text", "value": text}]}]


@pytest.mark.parametrize(
    ("written", "after"),
    [
        ("rules/fines.md", "rules/late.md"),
        ("./fines.md", "./late.md"),
        ("fines.md", "late.md"),
        ("../../rules/fines.md", "../../rules/late.md"),
        ("/rules/fines.md", "rules/late.md"),
    ],
)
def test_a_file_is_followed_from_the_folder_of_the_suite_and_those_above_it(written, after):
    folder = "rules" if "rules" in written else "evals/desk"
    document = {"id": "a", "input": blocks(written, written)}
    found = follow(document, f"{folder}/fines.md", f"{folder}/late.md")
    assert found == {"id": "a", "input": blocks(after, written)}


def test_the_files_of_commands_prompts_and_workspaces_are_followed():
    document = {
        "workspace": {"template": "./start", "hooks": {"before_each": {"command": "python  scripts/make.py --all"}}},
        "assertions": [
            {"type": "code-grader", "command": ["python", "../scripts/make.py"]},
            {"type": "llm-grader", "prompt": "file://scripts/make.py"},
            {"type": "contains", "value": "scripts/make.py"},
        ],
        "metadata": {"see": "scripts/make.py"},
    }
    found = follow(document, "evals/scripts/make.py", "evals/tools/make.py")
    assert found["workspace"]["hooks"]["before_each"]["command"] == "python  tools/make.py --all"
    assert [item.get("command", item.get("prompt")) for item in found["assertions"][:2]] == [
        ["python", "../tools/make.py"],
        "file://tools/make.py",
    ]
    assert found["assertions"][2] == document["assertions"][2]
    assert found["metadata"] == document["metadata"]
    assert follow(document, "evals/desk/start", "evals/desk/begin")["workspace"]["template"] == "./begin"


def test_a_case_follows_its_own_folder_below_the_tests_of_its_suite():
    document = {"id": "a", "$folder": "first"}
    assert follow(document, "evals/desk/cases/first", "evals/desk/cases/one")["$folder"] == "one"
    assert follow(document, "evals/desk/cases/first", "evals/first") is document


def test_a_test_follows_the_ids_that_it_depends_on():
    document = {"id": "b", "depends_on": ["a", 5, "c"]}
    assert follow(document, "a", "first", NodeKind.CASE)["depends_on"] == ["first", 5, "c"]
    assert follow({"id": "b", "depends_on": "a"}, "a", "first", NodeKind.CASE)["depends_on"] == "a"


def test_files_that_a_suite_does_not_name_change_nothing():
    document = {"id": "a", "criteria": "rules/fines.md", "input": "rules/fines.md"}
    assert follow(document, "rules/fines.md", "rules/late.md") is document
    assert follow(document, "rules/fines.md", "rules/late.md", kind=NodeKind.PACK) is document
