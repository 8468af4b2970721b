"""The tasks of a run."""

import pytest
from django.test import override_settings

from runs.jobs.trials.loading import tasks_of
from runs.launch.launching import Options, launch
from runs.models import Agent
from tests.runs.evals import eval_test, publish_evals, suite
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_every_trial_number_is_run(author, version, agents):
    run = work_off(launch(author, version, [agents["echo"]], Options(trials=4)))
    assert run.counts == {"passed": 12}


def test_the_step_limit_of_the_run_replaces_that_of_the_version(author, version, team):
    step = {"type": "system.step.started", "payload": {}}
    agent = Agent.objects.create(
        team=team, name="s", kind="scripted", config={"default": {"output": "hub", "events": [step] * 3}}
    )
    assert work_off(launch(author, version, [agent], Options(max_iterations=3))).counts == {"passed": 3}
    limited = work_off(launch(author, version, [agent], Options(max_iterations=2)))
    assert limited.counts == {"failed": 3}
    assert limited.trials.first().stop_reason == "step_limit"


WITHHELD = """\
      - {challenge_key: locate, case_key: a, expectations: [{key: answer, kind: file, artifact_key: gold}]}
      - challenge_key: locate
        case_key: b
        inputs: [{key: note, kind: file, artifact_key: note}]
        expectations: [{key: answer, kind: text, value: hub}]
"""
FIND = ["sh", "-c", "find . -type f; cat"]


@override_settings(ALLOW_LOCAL_COMMANDS=True)
def test_the_file_that_the_expectation_of_any_case_names_is_in_no_workspace(author, team):
    assets = "  assets: [{key: gold, path: gold.txt}, {key: note, path: note.txt}]\n"
    text = pack_text({"default": WITHHELD}, mode="native", version=assets)
    version = publish_text(team, author, text, files={"gold.txt": b"at the hub", "note.txt": b"ask"})
    agent = Agent.objects.create(team=team, name="find", kind="command", config={"arguments": FIND})
    run = launch(author, version, [agent])
    # Each case by itself, as workers claim them.
    for trial in run.trials.all():
        [task] = tasks_of(run, [trial]).values()
        assert [file.path for file in task.environment.files] == ["note.txt"]
    for trial in work_off(run).trials.all():
        assert "./note.txt" in trial.final_output
        assert "gold" not in trial.final_output


def test_an_agent_is_known_by_its_name_in_the_hooks_that_its_suite_has_for_it(author, team):
    own = {"before_each": {"command": ["true"]}, "after_all": {"command": ["true"]}}
    document = suite("one", eval_test("a"), targets=["plain", {"name": "skilled", "hooks": own}])
    document["workspace"] = {"hooks": {"before_all": {"command": ["true"]}}}
    version = publish_evals(team, author, suites={"one.eval.yaml": document})
    said = {"default": {"output": "done"}}
    entered = [
        Agent.objects.create(team=team, name=name, kind="scripted", config=said) for name in ("plain", "skilled")
    ]
    run = work_off(launch(author, version, entered))
    hooks = {
        trial.run_agent.name: [
            (event.payload["hook"], event.payload["input"]["test_id"])
            for event in trial.events.filter(event_type="workspace.hook.completed").order_by("sequence")
        ]
        for trial in run.trials.select_related("run_agent")
    }
    whole = ("before_all", "__before_all__")
    assert hooks == {"plain": [whole], "skilled": [whole, ("before_each", "a"), ("after_all", "__target_after_all__")]}
