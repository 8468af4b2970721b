"""The tasks of a run."""

import pytest
from django.test import override_settings

from runs.launch import Options, launch
from runs.models import Agent
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_a_run_without_cases_is_undecided_not_failed(author, bare_version, agents):
    run = work_off(launch(author, bare_version, [agents["echo"]]))
    assert run.counts == {"undecided": 1}


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


@override_settings(ALLOW_LOCAL_COMMANDS=True)
def test_files_of_the_pack_are_put_into_the_workspace(author, team):
    asset = "  assets:\n    - {key: note, path: notes/hub.txt, media_type: text/plain}\n"
    text = pack_text({"default": 1}, mode="native", version=asset)
    version = publish_text(team, author, text, files={"notes/hub.txt": b"at the hub"})
    agent = Agent.objects.create(team=team, name="cat", kind="command", config={"arguments": ["cat", "notes/hub.txt"]})
    run = work_off(launch(author, version, [agent]))
    assert run.trials.get().final_output == "at the hub"
