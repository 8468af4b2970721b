"""A code grader of an AgentV suite that asks the judge of the pack, through a real run and a model server."""

import json

import pytest

from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.launch.launching import Options, launch
from runs.models import Agent
from tests.runs.connections import make_connection
from tests.runs.evals import eval_test, publish_evals
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db

KEY = "sk-of-the-team"
PROGRAM = """\
import json, os, sys, urllib.request
told = json.load(sys.stdin)
asked = json.dumps({"question": told["criteria"], "systemPrompt": "Reply with a number."}).encode()
token = {"Authorization": "Bearer " + os.environ["AGENTV_TARGET_PROXY_TOKEN"]}
request = urllib.request.Request(os.environ["AGENTV_TARGET_PROXY_URL"] + "/invoke", asked, token)
reply = json.load(urllib.request.urlopen(request))
print(json.dumps({"score": float(reply["rawText"]), "assertions": [{"text": repr(dict(os.environ)), "passed": True}]}))
"""
TARGETS = {"targets": [{"name": "small", "provider": "cli", "command": "run", "grader_target": "strict"}]}


@pytest.fixture
def version(team, author):
    grader = {"name": "asks", "type": "code-grader", "command": ["python", "-c", PROGRAM], "target": {"max_calls": 1}}
    return publish_evals(
        team, author, eval_test("a", assertions=[grader]), suites={".agentv/targets.yaml": TARGETS}, targets=["small"]
    )


@pytest.fixture
def agent(team):
    return Agent.objects.create(team=team, name="small", kind="scripted", config={"default": {"output": "done"}})


def test_the_program_is_answered_by_whoever_is_chosen_for_the_judge_of_the_target(
    team, author, version, agent, model_server, local_endpoints
):
    if chosen_sandbox().kind == "landlock":
        pytest.skip("Landlock gives programs no loopback.")
    connection = make_connection(team, model_server, key=KEY, model_list=[{"name": "large"}])
    model_server.reply("0.9")
    chosen = {"strict": {"connection": connection.pk, "model": "large"}}
    trial = work_off(launch(author, version, [agent], Options(connections=chosen))).trials.get()
    assert (trial.status, trial.score) == ("passed", 0.9), trial.error
    [request] = model_server.requests
    assert (request["model"], request["messages"][1]["content"]) == ("large", "Says so.")
    told = {event.event_type: event.payload for event in trial.events.all()}
    assert told["grader.opinion.recorded"]["model"] == "strict"
    assert told["grader.verification.code_executed"]["asked"] == {"calls": 1, "most_calls": 1, "failed": 0}
    assert KEY not in json.dumps([event.payload for event in trial.events.all()])


def test_where_nobody_answers_for_the_judge_the_trial_says_what_to_do(author, version, agent):
    trial = work_off(launch(author, version, [agent])).trials.get()
    assert trial.status == "undecided"
    assert "'strict'" in trial.error
