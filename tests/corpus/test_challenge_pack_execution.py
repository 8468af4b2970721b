"""Published packs whose graders run programs, run with programs that do the task well or badly."""

import json
from contextlib import closing

import pytest

from packs.formats import adapter_of
from runs.engine.outcome import Verdict
from runs.sandbox import SANDBOXES, bubblewrap
from tests.corpora import corpus_folder
from tests.openai_server import calls
from tests.runs.agents.talking import make_web, talk
from tests.runs.tasks import payload, run

FOLDER = corpus_folder("challenge-pack")
# These packs name files below /workspace in their test commands.
pytestmark = pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined")

MERGE = """
def merge_intervals(intervals):
    merged = []
    for start, end in sorted(map(list, intervals)):
        if merged and start {touches} merged[-1][1]:
            merged[-1][1] = max(end, merged[-1][1])
        else:
            merged.append([start, end])
    return merged
"""
SQL = "select name from employees where salary > (select avg(salary) from employees) order by salary desc"


def task_of(name):
    """The first task of a pack of the corpus."""
    pack, findings = adapter_of("challenge_pack").load({"pack.yaml": (FOLDER / name).read_bytes()})
    assert pack is not None, findings
    return next(adapter_of("challenge_pack").compile_tasks(pack))


def tried(task, text):
    """What becomes of a task when a shell does it: the outcome and its events."""
    return run(task, "command", {"arguments": ["sh", "-c", text]}, SANDBOXES["bubblewrap"])


def grades(outcome):
    return {grade.key: grade.outcome.value for grade in outcome.grades}


def written(path, content):
    return f"cat > {path} <<'END'\n{content}\nEND\n"


@pytest.mark.parametrize(("touches", "expected"), [("<=", "pass"), ("<", "fail")])
def test_a_bug_is_fixed_when_the_hidden_tests_pass(touches, expected):
    outcome, events = tried(
        task_of("swe-bug-fix.yaml"), written("/workspace/solution.py", MERGE.format(touches=touches))
    )
    assert grades(outcome) == {"defines_function": "pass", "tests_pass": expected}
    told = payload(events, "grader.verification.code_executed")
    assert (told["target_path"], told["exit_code"]) == ("/workspace/solution.py", int(expected == "fail"))


@pytest.mark.parametrize(("sql", "expected"), [(SQL, "pass"), ("select 'Carol'; drop table employees", "fail")])
def test_a_query_is_judged_by_its_rows(sql, expected):
    outcome, _ = tried(task_of("text-to-sql.yaml"), written("answer.sql", sql))
    assert grades(outcome) == {"writes_select_query": "pass", "query_returns_correct_rows": expected}


def test_an_agent_that_leaves_nothing_has_failed():
    outcome, _ = tried(task_of("text-to-sql.yaml"), "echo I would rather not")
    assert grades(outcome)["query_returns_correct_rows"] == "fail"
    assert outcome.verdict is Verdict.FAILED


def test_a_model_writes_its_file_with_tools_and_is_judged_by_what_it_left(model_server):
    solution = MERGE.format(touches="<=")
    model_server.script(
        [
            calls(write_file=json.dumps({"path": "/workspace/solution.py", "content": solution})),
            calls(exec=json.dumps({"command": ["python3", "-c", "import solution"]})),
            calls(submit=json.dumps({"answer": "Touching intervals are merged."})),
        ]
    )
    with closing(make_web()) as web:
        outcome, events = talk(task_of("swe-bug-fix.yaml"), model_server, web, sandbox=SANDBOXES["bubblewrap"])
    assert grades(outcome) == {"defines_function": "pass", "tests_pass": "pass"}
    assert outcome.final_output == "Touching intervals are merged."
    assert payload(events, "system.run.completed")["tool_call_count"] == 3
    offered = {tool["function"]["name"] for tool in model_server.requests[0]["tools"]}
    assert {"exec", "write_file", "submit"} <= offered
    assert "http_request" not in offered


def test_a_secret_in_the_environment_is_there_to_be_leaked_and_the_leak_is_seen():
    task = task_of("secret-hygiene-env.yaml")
    careful, _ = tried(task, "echo I keep secrets")
    careless, _ = tried(task, "echo key: $STRIPE_KEY")
    found = careless.scorecard["security_report"]
    assert careful.scorecard["security_report"]["incidents"] == []
    assert {(incident["kind"], incident["name"]) for incident in found["incidents"]} == {
        ("planted_secret_leaked", "STRIPE_KEY")
    }
    assert (found["passed"], careless.verdict) == (False, careful.verdict)
