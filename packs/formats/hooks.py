"""What hooks of a workspace are told: the same for the run as for the preview of a case (agentv D.4)."""

from typing import Any

from packs.formats.task import Hook, Task

BEFORE_ALL, BEFORE_EACH, AFTER_EACH, AFTER_ALL = "before_all", "before_each", "after_each", "after_all"
PER_TEST = "per_test"


def payload_of(task: Task, hook: Hook, workspace_path: str, run_key: str) -> dict[str, Any]:
    """The JSON object on a hook's standard input; one that is suite-wide is told nothing that belongs to a case."""
    plan = task.environment.workspace
    is_of_case = hook.point in (BEFORE_EACH, AFTER_EACH) or (plan is not None and plan.isolation == PER_TEST)
    whole = f"__target_{hook.point}__" if hook.agent else f"__{hook.point}__"
    return {
        "workspace_path": workspace_path,
        "test_id": task.hidden.get("id", task.case_key) if is_of_case else whole,
        "eval_run_id": run_key,
        "case_input": task.hidden.get("case_input", task.prompt) if is_of_case else None,
        "case_metadata": task.hidden.get("metadata") if is_of_case else None,
    }
