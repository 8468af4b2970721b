"""Tasks with workspaces, and trials of them, for tests of the engine."""

import subprocess
from dataclasses import replace

from packs.formats.task import Environment, Hook, WorkspaceFile, WorkspacePlan
from runs.sandbox import SANDBOXES
from tests.runs.tasks import make_task, run

CONFINED = SANDBOXES["bubblewrap"]
TELL = "import sys, pathlib; pathlib.Path(sys.argv[1], 'told.json').write_text(sys.stdin.read())"
CASE = {"id": "PX-1", "case_input": "Where is it?", "metadata": {"sourceRow": 7}, "folder": "evals"}


def hook(point, *command, **more):
    return Hook(point, command, "evals", **more)


def tell(point, **more):
    """A hook that writes what it is told into the workspace."""
    return hook(point, "python3", "-c", TELL, "{{workspace_path}}", **more)


def task_of(*hooks, files=None, repositories=(), material=None, isolation="per_test", **more):
    """A task with this plan; its pack holds the material."""
    plan = WorkspacePlan(isolation=isolation, hooks=hooks, repositories=tuple(repositories), **more)
    lent = tuple(WorkspaceFile(path, text) for path, text in {"evals/a.txt": "in the pack", **(material or {})}.items())
    given = tuple(WorkspaceFile(path, text) for path, text in (files or {}).items())
    environment = Environment(files=given, workspace=plan, material=lent)
    return replace(make_task(environment=environment), hidden=CASE)


def agent(code="print('hub')"):
    return {"arguments": ["python3", "-c", code]}


def start(task, code="print('hub')", sandbox=SANDBOXES["local"], **more):
    return run(task, "command", agent(code), sandbox=sandbox, **more)


def of(events, event_type):
    return [event["payload"] for event in events if event["event_type"] == event_type]


def git(folder, *arguments):
    identity = ("-c", "user.name=t", "-c", "user.email=t@localhost")
    done = subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()
