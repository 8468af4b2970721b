"""The tasks of published versions."""

import pytest
from django.test import override_settings

from runs.launch.launching import launch
from runs.models import Agent
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_a_run_without_cases_is_undecided_not_failed(author, bare_version, agents):
    run = work_off(launch(author, bare_version, [agents["echo"]]))
    assert run.counts == {"undecided": 1}


@override_settings(ALLOW_LOCAL_COMMANDS=True)
def test_files_of_the_pack_are_put_into_the_workspace(author, team):
    asset = "  assets:\n    - {key: note, path: notes/hub.txt, media_type: text/plain}\n"
    text = pack_text({"default": 1}, mode="native", version=asset)
    version = publish_text(team, author, text, files={"notes/hub.txt": b"at the hub"})
    agent = Agent.objects.create(team=team, name="cat", kind="command", config={"arguments": ["cat", "notes/hub.txt"]})
    run = work_off(launch(author, version, [agent]))
    assert run.trials.get().final_output == "at the hub"
