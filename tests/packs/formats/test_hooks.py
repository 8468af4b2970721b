from dataclasses import replace

import pytest

from packs.formats.hooks import payload_of
from packs.formats.task import Environment, EvidenceCase, Hook, Task, WorkspacePlan

HIDDEN = {"id": "one", "case_input": "Mend it, with a.txt", "metadata": {"row": 1}}
TASK = Task("f", "c", "s", "k", "T", "Mend it", {}, HIDDEN, EvidenceCase({}))


@pytest.mark.parametrize(
    ("isolation", "point", "is_of_case"),
    [
        ("per_test", "before_all", True),
        ("per_test", "before_each", True),
        ("shared", "before_all", False),
        ("shared", "before_each", True),
        ("shared", "after_each", True),
        ("shared", "after_all", False),
    ],
)
def test_only_hooks_of_a_case_are_told_of_it(isolation, point, is_of_case):
    task = replace(TASK, environment=Environment(workspace=WorkspacePlan(isolation=isolation)))
    case = ("one", "Mend it, with a.txt", {"row": 1}) if is_of_case else (f"__{point}__", None, None)
    payload = payload_of(task, Hook(point), "/workspace", "run-7")
    assert list(payload) == ["workspace_path", "test_id", "eval_run_id", "case_input", "case_metadata"]
    assert tuple(payload.values()) == ("/workspace", case[0], "run-7", *case[1:])


def test_a_task_that_says_nothing_of_its_case_is_told_by_key_and_prompt():
    payload = payload_of(replace(TASK, hidden={}), Hook("before_each"), "/workspace", "run-7")
    assert (payload["test_id"], payload["case_input"], payload["case_metadata"]) == ("k", "Mend it", None)


def test_a_suite_wide_hook_of_one_agent_is_told_so():
    task = replace(TASK, environment=Environment(workspace=WorkspacePlan(isolation="shared")))
    payload = payload_of(task, Hook("after_all", agent="with-skills"), "/workspace", "run-7")
    assert payload["test_id"] == "__target_after_all__"
