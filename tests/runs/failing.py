"""Packs and runs whose trials fail, for tests of what comes of a failure."""

from dataclasses import replace

from packs.formats import adapter_of
from packs.formats.document import Case, InputSet
from packs.mirror import write_tree
from packs.models import Pack
from packs.publish import publish
from runs.launch.launching import Options, launch
from runs.models import Agent
from tests.runs.working import work_off

CALL = {"tool_name": "lookup", "arguments": {"id": "P-1"}}
FAILED = {"type": "tool.call.failed", "payload": {**CALL, "error": "no answer"}}
FOUND = {"type": "tool.call.completed", "payload": {**CALL, "result": {"content": "Leeds"}}}
STEP = {"type": "system.step.started", "payload": {}}
MODEL = {
    "type": "model.call.completed",
    "payload": {
        "provider_model_id": "numbat-1",
        "usage": {"input_tokens": 120, "output_tokens": 8, "total_tokens": 128},
        "timing": {"total_latency_ms": 450},
        "output_text": "I look it up.",
    },
}
WRONG = {"output": "It is lost.", "events": [STEP, MODEL, FAILED, STEP, FOUND]}


def task(key, suite="golden", **more):
    """A task that passes when the answer names Leeds."""
    return {
        "task_id": key,
        "suite": suite,
        "description": "Say where the parcel is.",
        "inputs": {"user_message": f"Where is parcel {key}?", "tools_available": ["lookup"]},
        "graders": [{"type": "string_match", "patterns": ["Leeds"]}],
        "tracked_metrics": [{"type": "tool_use", "fields": ["tool_call_count", "tool_error_rate"]}],
        **more,
    }


def publish_suite(team, user, *tasks, slug="watch"):
    """A published version of a task suite with these tasks."""
    adapter = adapter_of("task_suite")
    suites = dict.fromkeys(found["suite"] for found in tasks)
    sets = tuple(
        InputSet(suite, {"suite": suite}, tuple(_cases(found for found in tasks if found["suite"] == suite)))
        for suite in suites
    )
    row = Pack.objects.create(team=team, slug=slug, format="task_suite", created_by=user)
    write_tree(row, replace(adapter.starter(slug, "Watch"), input_sets=sets))
    return publish(row, user)


def _cases(tasks):
    return [Case(found["task_id"], found["suite"], found) for found in tasks]


def failing_run(team, user, version, answer=WRONG, **options):
    """A finished run whose agent answers wrongly."""
    number = Agent.objects.count()
    agent = Agent.objects.create(team=team, name=f"wrong {number}", kind="scripted", config={"default": answer})
    return work_off(launch(user, version, [agent], Options(**options)))
