"""The same promise for whole runs: from files over a published version and its jobs to agents."""

import json

import pytest

from packs.importing import import_pack
from packs.publish import publish
from runs.launch.launching import Options, launch
from runs.models import Agent
from tests.runs.connections import make_connection
from tests.runs.secrecy.agents import CURIOUS, PROGRAM, Hosts
from tests.runs.secrecy.planting import Canaries
from tests.runs.secrecy.scenes import SCENES
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("name", ["challenge_pack", "task_suite", "agentv"])
def test_no_agent_of_a_run_reaches_what_it_must_not_see(name, team, author, model_server, local_endpoints):
    canaries, hosts = Canaries(), Hosts()
    model_server.answer = hosts.answer
    files = {canaries.fill(path): canaries.fill(text).encode() for path, text in SCENES[name][1].items()}
    pack = import_pack(team, author, files, "desk")
    make_connection(team, model_server, max_retries=0)
    program = {"arguments": ["python3", "-c", PROGRAM]}
    chat = {"connection": "models", "model": CURIOUS}
    agents = [
        Agent.objects.create(team=team, name="program", kind="command", config=program),
        Agent.objects.create(team=team, name="model", kind="chat", config=chat),
    ]
    version = publish(pack, author)
    run = work_off(launch(author, version, agents, Options(input_set=version.input_sets.first().key)))
    told = [*map(json.dumps, hosts.heard[CURIOUS]), *run.trials.values_list("final_output", flat=True)]
    assert len(told) > len(agents)
    assert [found for text in told if (found := canaries.found_in(text))] == []
    assert all("found00" in text for text in told)
