"""Starting documents for new nodes: their shape, in which what only an author knows is empty."""

from collections.abc import Callable, Mapping
from sys import maxsize

import orjson

from packs.formats.adapter import Node, PackIndex
from packs.formats.beginning import EXAMPLE, First
from packs.formats.document import Case, Challenge, Document, InputSet, NodeKind, Pack
from packs.formats.numbering import free_key
from packs.formats.task_suite.layout import FOLDER, RUBRICS
from packs.formats.task_suite.reader import NAME
from packs.formats.task_suite.suites import GATES, SUITES

TASK = "task_{}"
RUBRIC_PATH = f"{RUBRICS}rubric-{{}}.md"
FIXTURES = f"{FOLDER}/_shared/fixtures/"


def _config() -> Document:
    suites = {
        suite.name: {
            "path": f"evals/{suite.name}",
            "default_trials": {"k": suite.k, "metric": suite.metric},
            "required_in_ci_merge": suite.name == "golden",
        }
        for suite in SUITES.values()
    }
    fails = ["any_safety_violation", "golden_regression", "forbidden_tool_called"]
    gates: Document = {
        GATES[0]: {"must_include_suites": ["golden"], "fail_on": fails},
        GATES[1]: {"include_suites": list(SUITES), "blocking": False},
        GATES[2]: {"include_suites": ["golden"], "fail_on": fails},
    }
    return {"suites": suites, "gates": gates}


def _task(task_id: str, suite: str) -> Document:
    return {
        "task_id": task_id,
        "suite": suite,
        "description": "",
        "inputs": {"user_message": "", **({"incident_trace_ref": ""} if suite == "failure_replays" else {})},
        "graders": [],
        "tracked_metrics": [{"type": "tokens", "fields": ["total_tokens"]}],
    }


def new_document(kind: NodeKind, index: PackIndex | None, parent: int = 0) -> Document:
    """A small starting document; see `Adapter.new_document`."""
    match kind:
        case NodeKind.PACK:
            return _config()
        case NodeKind.CASE:
            suite = (index.set_challenge_key(parent) if index else "") or "golden"
            return _task(free_key(index, kind, TASK.format, parent, suite), suite)
        case NodeKind.ASSET:
            return {"path": free_key(index, kind, RUBRIC_PATH.format)}
    free = (name for name in SUITES if not index or not index.is_repeated(Node(kind, {}, name, position=maxsize)))
    return {"suite": next(free, "golden")}


def identified(document: Document, slug: str, name: str) -> Document:
    """The configuration under another slug and name; see `Adapter.identified`."""
    return {**document, "x-slug": slug, "x-name": name}


def _in_text(first: First) -> Document:
    grader = {"type": "string_match", "patterns": [first.answer]}
    return {"graders": [grader], "reference_solution": first.answer}


def _pattern(first: First) -> Document:
    return {"graders": [{"type": "string_match", "patterns": [first.pattern()], "regex": True}]}


def _fact(first: First) -> Document:
    fact = first.fact()
    graders = [{"type": "json_schema", "schema": fact.schema()}]
    return {"graders": graders, "reference_solution": orjson.dumps(fact.example()).decode()}


# Kind of check to the fields of a task that say what is right.
FIRST_CHECKS: Mapping[str, Callable[[First], Document]] = {
    "contains": _in_text,
    "regex_match": _pattern,
    "json_path_match": _fact,
}


def starter(slug: str, name: str, first: First = EXAMPLE) -> Pack:
    """A small whole pack; see `Adapter.starter`."""
    asked = {"description": first.question, "inputs": {"user_message": first.question}}
    task = {**_task(TASK.format(1), "golden"), **asked, **FIRST_CHECKS[first.check](first)}
    tasks = InputSet("golden", {"suite": "golden"}, (Case(task["task_id"], "golden", task),))
    suites = tuple(Challenge(suite, {"suite": suite}) for suite in SUITES)
    return Pack(NAME, slug, identified(_config(), slug, name), suites, (tasks,))
