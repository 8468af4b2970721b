"""Task suites for tests of running, made from a few words."""

from packs.formats import task_suite
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.publish import publish

ANSWERS = {"type": "string_match", "patterns": ["done"]}


def task(suite="golden", name="say-done_1", **members):
    """A task that is done when the last message says so; `members` replace what it states."""
    return {
        "task_id": name,
        "suite": suite,
        "description": "Say that it is done.",
        "inputs": {"user_message": "Please do it and tell me.", "tools_available": ["look"]},
        "graders": [ANSWERS],
        "tracked_metrics": [{"type": "outcome", "fields": ["success"]}],
        **members,
    }


def suite_files(*tasks, **files):
    """The files of a pack."""
    named = {
        f"evals/{found['suite']}/{found['task_id']}.yaml": task_suite.dump_node(NodeKind.CASE, found).encode()
        for found in tasks
    }
    return {**named, **files}


def publish_suite(team, user, *tasks, slug="suite", **files):
    """The version that these tasks become."""
    return publish(import_pack(team, user, suite_files(*tasks, **files), slug), user)
