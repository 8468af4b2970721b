"""Code graders that ask models, in whole trials."""

import json

import pytest

from runs.agents.endpoints.contract import EndpointFailed, ModelReply, Trouble, Usage
from runs.engine.outcome import Verdict
from runs.engine.rescoring import score_again
from runs.grading.judges import Bench
from runs.sandbox import SANDBOXES
from tests.runs.engine.test_consulting import task_of
from tests.runs.tasks import run

HEAD = """\
import json, os, sys, urllib.error, urllib.request
told = json.load(sys.stdin)
def ask(path, document=None):
    body = None if document is None else json.dumps(document).encode()
    token = {"Authorization": "Bearer " + os.environ["AGENTV_TARGET_PROXY_TOKEN"]}
    request = urllib.request.Request(os.environ["AGENTV_TARGET_PROXY_URL"] + path, body, token)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)
"""
JUDGED = """\
reply = json.loads(ask("/invoke", {"question": "How good is " + told["output"][-1]["content"]})["rawText"])
print(json.dumps({"score": reply["score"], "details": ask("/info")}))
"""


class Voice:
    name, provider, has_responses = "voices", "here", False

    def __init__(self, reply='{"score": 0.9}'):
        self.reply, self.requests = reply, []

    def ask(self, request):
        self.requests.append(request)
        if self.reply is None:
            raise EndpointFailed(Trouble.UNREACHABLE, "nobody is there")
        return ModelReply(text=self.reply, model="small", usage=Usage(7, 3, 0.25))


def asking(code=JUDGED, **more):
    return task_of({"name": "program", "type": "code-grader", "command": ["python", "-c", HEAD + code], **more})


@pytest.fixture(params=["bubblewrap", "local"])
def sandbox(request):
    kind = SANDBOXES[request.param]
    if kind.obstacle():
        pytest.skip(f"{request.param}: {kind.obstacle()}")
    return kind


def tried(task, voice, sandbox=SANDBOXES["local"], threads=4):
    return run(task, "echo", sandbox=sandbox, bench=Bench(lambda model: voice, threads=threads))


def of(events, kind):
    return [event["payload"] for event in events if event["event_type"] == kind]


@pytest.mark.parametrize("threads", [1, 4])
def test_a_code_grader_asks_the_judge_and_its_calls_are_those_of_the_judge(sandbox, threads):
    voice = Voice()
    outcome, events = tried(asking(target=True), voice, sandbox, threads)
    assert (outcome.verdict, outcome.score) == (Verdict.PASSED, 0.9), outcome.error
    assert voice.requests[0].messages[-1]["content"].startswith("How good is")
    [reply] = of(events, "grader.opinion.recorded")
    assert (reply["model"], reply["input_tokens"], reply["cost_usd"]) == ("judge", 7, 0.25)
    facts = outcome.grades[0].raw
    assert facts["usage"] == {"calls": 1, "tokens": 10, "cost_usd": 0.25}
    assert facts["row"]["details"]["callCount"] == 1


def test_a_trial_is_judged_again_without_asking_anybody():
    voice, task = Voice(), asking(target=True)
    _, events = tried(task, voice)
    again = score_again(task, events)
    assert (again.verdict, again.score, len(voice.requests)) == (Verdict.PASSED, 0.9, 1)


def test_a_program_makes_no_more_calls_than_it_may():
    code = """
for _ in range(3):
    try: ask("/invoke", {"question": "again"})
    except urllib.error.HTTPError as error: print(json.dumps({"score": 1, "details": {"status": error.code}}))
"""
    voice = Voice()
    outcome, events = tried(asking(code, target={"max_calls": 2}), voice)
    assert len(voice.requests) == 2
    [done] = of(events, "grader.verification.code_executed")
    assert json.loads(done["stdout"])["details"] == {"status": 429}
    assert done["asked"] == {"calls": 2, "most_calls": 2, "failed": 0}


def test_without_leave_a_program_finds_no_way_to_models():
    code = "print(json.dumps({'score': float(not any('PROXY' in name for name in os.environ))}))"
    assert tried(asking(code), Voice())[0].verdict is Verdict.PASSED


def test_a_program_reads_no_secret_of_the_connection():
    code = "print(json.dumps({'score': 1, 'assertions': [{'text': repr(dict(os.environ)), 'passed': True}]}))"
    _, events = tried(asking(code, target=True), Voice())
    [done] = of(events, "grader.verification.code_executed")
    assert "voices" not in done["stdout"]


def test_without_a_connection_the_program_is_not_run_and_the_trial_stays_open():
    outcome, events = run(asking(target=True), "echo")
    assert outcome.verdict is Verdict.UNDECIDED
    assert "'judge'" in outcome.error
    assert "exit_code" not in of(events, "grader.verification.code_executed")[0]


def test_a_program_that_breaks_because_the_model_failed_says_nothing_of_the_agent():
    outcome, _ = tried(asking(target=True), Voice(None))
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "machine")


def test_a_program_that_copes_with_a_model_that_failed_is_believed():
    code = """
try: ask("/invoke", {"question": "well?"})
except urllib.error.HTTPError: print(json.dumps({"score": 1}))
"""
    assert tried(asking(code, target=True), Voice(None))[0].verdict is Verdict.PASSED


def test_a_program_that_breaks_by_itself_scores_nothing():
    outcome, _ = tried(asking("sys.exit('boom')", target=True), Voice())
    assert (outcome.verdict, outcome.score) == (Verdict.FAILED, 0.0)


def test_a_sandbox_that_cannot_let_it_ask_is_our_machine():
    kind = SANDBOXES["landlock"]
    if kind.obstacle():
        pytest.skip(kind.obstacle())
    outcome, _ = tried(asking(target=True), Voice(), kind)
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "machine")
    assert "Landlock" in outcome.error
