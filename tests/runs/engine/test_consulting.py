"""Graders that need programs and models, in whole trials."""

import json
from dataclasses import replace

import pytest

from packs.formats.task import Dimension, Environment, GraderSpec, Scoring, WorkspaceFile
from runs.agents.endpoints.contract import EndpointFailed, ModelReply, Trouble
from runs.engine.given import grade_given
from runs.engine.outcome import Verdict
from runs.engine.rescoring import score_again
from runs.engine.trial import ignore
from runs.grading.judges import Bench
from runs.sandbox import SANDBOXES
from tests.runs.tasks import make_task, run, types

CHECK = b"""\
import json, os, pathlib, sys
told = json.load(sys.stdin)
found = pathlib.Path(told["workspace_path"] or ".", "made.txt").exists()
words = pathlib.Path("words.txt").read_text().split()
print(json.dumps({"score": float(found and told["output"][-1]["content"] in words), "details": {"cwd": os.getcwd()}}))
"""
MATERIAL = {"evals/check.py": CHECK, "evals/words.txt": b"hub depot"}


def task_of(*assertions, **more):
    """A task with these assertions as its graders."""
    specs = tuple(
        GraderSpec(one["name"], f"agentv.{one['type']}", config={"assertion": one, "test": {}}) for one in assertions
    )
    dimensions = tuple(Dimension(spec.key, "grader", graders=(spec.key,)) for spec in specs)
    task = make_task(graders=specs, **more)
    material = tuple(WorkspaceFile(path, MATERIAL[path].decode()) for path in MATERIAL)
    scoring = Scoring(dimensions=dimensions, strategy="gated_mean", pass_threshold=0.8)
    return replace(task, scoring=scoring, environment=replace(task.environment, material=material))


PROGRAM = {"name": "program", "type": "code-grader", "command": ["python3", "check.py"], "directory": "evals"}
OPINION = {"name": "opinion", "type": "llm-grader", "prompt": "Is it kind?"}


class Voice:
    name, provider, has_responses = "voices", "here", False

    def __init__(self, *replies):
        self.replies = list(replies)
        self.requests = []

    def ask(self, request):
        self.requests.append(request)
        reply = self.replies.pop(0)
        if reply is None:
            raise EndpointFailed(Trouble.UNREACHABLE, "nobody is there")
        return ModelReply(text=reply, model="small")


def command(code):
    return {"arguments": ["python3", "-c", code]}


def test_a_program_of_the_pack_judges_what_the_agent_left_and_said():
    outcome, events = run(task_of(PROGRAM), "command", command("open('made.txt', 'w'); print('hub')"))
    assert (outcome.verdict, outcome.score) == (Verdict.PASSED, 1.0), outcome.error
    [told] = [event["payload"] for event in events if event["event_type"] == "grader.verification.code_executed"]
    assert json.loads(told["stdout"])["details"]["cwd"].endswith("/pack/evals")
    assert run(task_of(PROGRAM), "command", command("print('hub')"))[0].verdict is Verdict.FAILED


def test_the_agent_does_not_see_the_files_of_its_graders():
    code = "import os; print([name for _, _, names in os.walk('.') for name in names])"
    outcome, _ = run(task_of(PROGRAM), "command", command(code))
    assert outcome.final_output == "[]"


def test_a_model_judges_and_its_reply_is_evidence():
    voice = Voice('{"score": 0.9}')
    outcome, events = run(task_of(OPINION), "echo", bench=Bench(lambda model: voice))
    assert (outcome.verdict, outcome.score) == (Verdict.PASSED, 0.9)
    assert types(events).count("grader.opinion.recorded") == 1
    again = score_again(task_of(OPINION), events)
    assert (again.verdict, again.score) == (Verdict.PASSED, 0.9)
    assert len(voice.requests) == 1


def test_an_unusable_reply_is_asked_for_again():
    voice = Voice("Fine!", '{"score": 1}')
    outcome, _ = run(task_of(OPINION), "echo", bench=Bench(lambda model: voice))
    assert (outcome.verdict, len(voice.requests)) == (Verdict.PASSED, 2)


def test_without_a_connection_the_trial_stays_open_and_names_the_model():
    outcome, _ = run(task_of(OPINION), "echo")
    assert outcome.verdict is Verdict.UNDECIDED
    assert "'judge'" in outcome.error


def test_a_model_that_fails_is_our_machine():
    outcome, _ = run(task_of(OPINION), "echo", bench=Bench(lambda model: Voice(None)))
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "machine")


@pytest.mark.parametrize(
    "code",
    [
        "while True: pass",
        "print('x' * 2_000_000)",
        "import shutil, os; [shutil.rmtree(os.environ['AGENTV_WORKSPACE_PATH'])]",
    ],
    ids=["hangs", "floods", "deletes its workspace"],
)
def test_a_program_that_misbehaves_is_the_authors_to_mend(code, monkeypatch):
    monkeypatch.setattr("runs.grading.graders.agentv.programs.SECONDS", 1.0)
    broken = PROGRAM | {"command": ["python3", "-c", f"import sys; sys.stdin.read()\n{code}"]}
    outcome, _ = run(task_of(broken), "command", command("open('made.txt', 'w'); print('hub')"))
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "pack"), outcome.error


BY_WHAT_IS_LEFT = """
import os, pathlib, sys
sys.stdin.read()
exec(pathlib.Path(os.environ["AGENTV_WORKSPACE_PATH"], "left.py").read_text())
print("1")
"""


@pytest.mark.parametrize(
    "left",
    ["while True: pass", "print('x' * 2_000_000)", "import shutil; shutil.rmtree(os.environ['AGENTV_WORKSPACE_PATH'])"],
    ids=["hangs", "floods", "deletes its workspace"],
)
def test_a_program_that_misbehaves_by_what_the_agent_left_fails_the_agent(left, monkeypatch):
    judged = PROGRAM | {"command": ["python3", "-c", BY_WHAT_IS_LEFT]}
    task = task_of(judged, environment=Environment(files=(WorkspaceFile("left.py", ""),)))
    assert run(task, "command", command("print('hub')"))[0].verdict is Verdict.PASSED
    monkeypatch.setattr("runs.grading.graders.agentv.programs.SECONDS", 4.0)
    outcome, _ = run(task, "command", command(f"open('left.py', 'w').write({left!r}); print('hub')"))
    assert (outcome.verdict, outcome.score) == (Verdict.FAILED, 0.0), outcome.error


def test_an_output_that_was_handed_in_is_judged_by_models_too():
    task = task_of(OPINION)
    bench = Bench(lambda model: Voice('{"score": 1}'))
    outcome = grade_given(task, "hub", [], SANDBOXES["local"], lambda file: None, emit=ignore, bench=bench)
    assert outcome.verdict is Verdict.PASSED


def test_a_cancelled_run_asks_nobody_any_more():
    stopped = Bench(lambda model: Voice(), is_cancelled=lambda: True)
    outcome, _ = run(task_of(OPINION), "echo", bench=stopped)
    assert outcome.verdict is Verdict.CANCELLED
